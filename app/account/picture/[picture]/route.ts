import * as z from "zod/mini";
import { reportError } from "@/events/core/error-report";
import { mostFileBytes } from "@/events/core/file-types";
import { writtenId } from "@/events/core/written-id";
import { sentence } from "@/events/log/refusal";
import { supabaseStore } from "@/events/log/store";
import { environment } from "@/supabase/environment";
import { identity } from "@/supabase/identity";
import { pageClient, serviceClient } from "@/supabase/server";
import { storePicture } from "@/app/_server/account/picture";
import { refusedPicture } from "@/app/_server/account/picture-words";
import { beginUpload, endUpload } from "@/app/_server/files/open-uploads";

export const dynamic = "force-dynamic";

type Way = { params: Promise<{ picture: string }> };

const begun = z.strictObject({ bytes: z.int().check(z.minimum(0)) });

/** Who asks, with what they send under which id; else why not. */
async function asked<T extends z.ZodMiniType>(request: Request, { params }: Way, schema: T) {
  const client = await pageClient();
  const who = await identity(client);
  if (!who) return "signed-out";
  const body = schema.safeParse(await request.json().catch(() => null));
  const picture = writtenId.safeParse((await params).picture);
  if (!body.success || !picture.success) return "unreadable";
  const service = serviceClient();
  if (!service) return "no-service";
  const uploader = { userId: who.userId, service };
  return { client, uploader, picture: picture.data, body: body.data };
}

/** Gives a person an address of Storage to which they can send a picture of theirs. */
export async function POST(request: Request, way: Way): Promise<Response> {
  const now = await asked(request, way, begun);
  if (typeof now === "string") return refusedPicture(now);
  const { uploader, picture, body } = now;
  if (body.bytes === 0) return refusedPicture("empty");
  if (body.bytes > mostFileBytes) return refusedPicture("too-large");
  const address = await beginUpload(uploader, picture);
  if (address === null) return refusedPicture("too-many");
  return Response.json({ ok: true, address: `${environment().publicUrl ?? ""}${address}` });
}

/** `id` is the idempotency key of the event: what is asked twice is recorded once. */
const sent = z.strictObject({ id: z.guid() });

/** Looks at what this person has sent, keeps a square of it, and records as them that this is their picture. */
export async function PUT(request: Request, way: Way): Promise<Response> {
  const now = await asked(request, way, sent);
  if (typeof now === "string") return refusedPicture(now);
  const { client, uploader, picture, body } = now;
  const refused = await storePicture(uploader, picture);
  if (refused !== null) return refusedPicture(refused);
  const answer = await supabaseStore(client).append(uploader.userId, null, [
    { id: body.id, type: "account.picture_set", body: { picture } },
  ]);
  // What stays is deleted a day later; a stored picture that is nobody's, sooner.
  await endUpload(uploader, picture).catch((error: unknown) =>
    reportError(error, { during: "removing an upload" }),
  );
  if (answer.ok) return Response.json({ ok: true });
  const { name } = answer.refusal;
  return Response.json({ ok: false, name, message: sentence(answer.refusal) }, { status: 409 });
}
