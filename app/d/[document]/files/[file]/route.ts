import * as z from "zod/mini";
import { isUuid } from "@/events/core/ids/is-uuid";
import { mostFileBytes } from "@/events/core/file-types";
import { sentence } from "@/events/log/refusal";
import { supabaseStore } from "@/events/log/store";
import { findFile } from "@/events/read-models/found-files";
import { environment } from "@/supabase/environment";
import { pageClient } from "@/supabase/server";
import { refusedFile } from "@/app/_server/files/file-words";
import { beginUpload, leaveUpload } from "@/app/_server/files/open-uploads";
import { markUnusedFile, settleUpload } from "@/app/_server/files/settled-file";
import { fileWriter, whyNoRoom } from "@/app/_server/files/writing-rights";

export const dynamic = "force-dynamic";

type Way = { params: Promise<{ document: string; file: string }> };

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const announced = z.strictObject({
  bytes: z.int().check(z.minimum(0)),
  sha256: z.optional(sha256),
});

/**
 * Returns a Storage address to which a person who may write in the document can upload this file.
 */
export async function POST(request: Request, { params }: Way): Promise<Response> {
  const { document, file } = await params;
  const client = await pageClient();
  const parsed = announced.safeParse(await request.json().catch(() => null));
  const writer = await fileWriter(client, document);
  if (typeof writer === "string") return refusedFile(writer);
  if (!parsed.success || !isUuid(file)) return refusedFile("unreadable");
  const { bytes } = parsed.data;
  if (bytes === 0) return refusedFile("empty");
  if (bytes > mostFileBytes) return refusedFile("too-large");
  const noRoom = await whyNoRoom(client, writer.workspace, bytes);
  if (noRoom !== null) return refusedFile(noRoom);
  const begun = await beginUpload(writer, file, parsed.data);
  if (typeof begun === "string") return refusedFile(begun);
  return Response.json({ ok: true, address: `${environment().publicUrl ?? ""}${begun.address}` });
}

/** `id` is the event's idempotency key, so a repeated request is recorded once. */
const sent = z.strictObject({
  id: z.guid(),
  name: z.string().check(z.maxLength(2_000)),
  kind: z.enum(["image", "file"]),
  /** The hash of a file that is restored from a bundle. */
  sha256: z.optional(sha256),
});

/**
 * Checks the upload, stores it and records, as the caller, that the file is attached to the
 * document. The type of a file is determined from its bytes alone.
 */
export async function PUT(request: Request, { params }: Way): Promise<Response> {
  const { document, file } = await params;
  const client = await pageClient();
  const parsed = sent.safeParse(await request.json().catch(() => null));
  const writer = await fileWriter(client, document);
  if (typeof writer === "string") return refusedFile(writer);
  if (!parsed.success || !isUuid(file)) return refusedFile("unreadable");
  const { id, name, kind, sha256 } = parsed.data;
  const known = (await findFile(client, file)).some((found) => found.document === document);
  if (known) {
    // The process may have ended after the event and left the upload, or the file was uploaded
    // again.
    await leaveUpload(writer, file);
    return Response.json({ ok: true });
  }
  const { signal } = request;
  const given = { name, asImage: kind === "image", sha256 };
  const body = await settleUpload(writer, file, given, signal).catch((error: unknown) => {
    // The upload is kept for a retry.
    if (signal.aborted) return "called-off" as const;
    throw error;
  });
  if (typeof body === "string") return refusedFile(body);
  const answer = await supabaseStore(client).append(document, null, [
    { id, type: "file.attached", body, subject: { kind: "file", id: file } },
  ]);
  if (!answer.ok) {
    await markUnusedFile(writer, body.sha256);
    if (answer.refusal.reason === "file-missing") return refusedFile("upload-missing");
    const { name: why } = answer.refusal;
    return Response.json(
      { ok: false, name: why, message: sentence(answer.refusal) },
      { status: 409 },
    );
  }
  await leaveUpload(writer, file);
  return Response.json({ ok: true, ...body });
}
