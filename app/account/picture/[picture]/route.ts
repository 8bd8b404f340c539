import * as z from "zod/mini";
import { mostFileBytes } from "@/events/core/file-types";
import { writtenId } from "@/events/core/ids/written-id";
import { sentence } from "@/events/log/refusal";
import { supabaseStore } from "@/events/log/store";
import { environment } from "@/supabase/environment";
import { identity } from "@/supabase/identity";
import { pageClient, serviceClient } from "@/supabase/server";
import { pictureOf, storePicture } from "@/app/_server/account/picture";
import { refusedPicture } from "@/app/_server/account/picture-words";
import { beginUpload, leaveUpload } from "@/app/_server/files/open-uploads";

export const dynamic = "force-dynamic";

type Way = { params: Promise<{ picture: string }> };

const announced = z.strictObject({
  bytes: z.int().check(z.minimum(0)),
  sha256: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
});

/** Returns the uploader of a picture and the picture's id, or the reason for a refusal. */
async function sender({ params }: Way) {
  const client = await pageClient();
  const who = await identity(client);
  if (!who) return "signed-out";
  const picture = writtenId.safeParse((await params).picture);
  if (!picture.success) return "unreadable";
  const service = serviceClient();
  if (!service) return "no-service";
  return { client, uploader: { userId: who.userId, service }, picture: picture.data };
}

/** Returns a Storage address to which a person can upload a picture. */
export async function POST(request: Request, way: Way): Promise<Response> {
  const sending = await sender(way);
  if (typeof sending === "string") return refusedPicture(sending);
  const body = announced.safeParse(await request.json().catch(() => null));
  if (!body.success) return refusedPicture("unreadable");
  const { bytes } = body.data;
  if (bytes === 0) return refusedPicture("empty");
  if (bytes > mostFileBytes) return refusedPicture("too-large");
  const begun = await beginUpload(sending.uploader, sending.picture, body.data);
  if (typeof begun === "string") return refusedPicture(begun);
  return Response.json({ ok: true, address: `${environment().publicUrl ?? ""}${begun.address}` });
}

/**
 * Checks the upload, stores it as a square and records it as the caller's picture. The event has
 * the picture's id, so a repeated request is recorded once.
 */
export async function PUT({ signal }: Request, way: Way): Promise<Response> {
  const sending = await sender(way);
  if (typeof sending === "string") return refusedPicture(sending);
  const { client, uploader, picture } = sending;
  const isRecorded = async () => (await pictureOf(client, uploader.userId)) === picture;
  if (await isRecorded()) {
    // The process may have ended after the event and left the upload.
    await leaveUpload(uploader, picture);
    return Response.json({ ok: true });
  }
  const refused = await storePicture(uploader, picture, signal).catch((error: unknown) => {
    // The upload is kept for a retry.
    if (signal.aborted) return "called-off" as const;
    throw error;
  });
  if (refused === "called-off") return refusedPicture(refused);
  if (refused === "upload-missing") {
    // A concurrent request may have consumed the upload.
    return (await isRecorded()) ? Response.json({ ok: true }) : refusedPicture(refused);
  }
  if (refused !== null) {
    await leaveUpload(uploader, picture);
    return refusedPicture(refused);
  }
  const answer = await supabaseStore(client).append(uploader.userId, null, [
    { id: picture, type: "account.picture_set", body: { picture } },
  ]);
  // A background run deletes the picture if it is not recorded.
  await leaveUpload(uploader, picture);
  if (answer.ok) return Response.json({ ok: true });
  const { name } = answer.refusal;
  return Response.json({ ok: false, name, message: sentence(answer.refusal) }, { status: 409 });
}
