import * as z from "zod/mini";
import { isUuid } from "@/events/core/ids/is-uuid";
import { sentence } from "@/events/log/refusal";
import { supabaseStore } from "@/events/log/store";
import { findFile } from "@/events/read-models/found-files";
import { pageClient } from "@/supabase/server";
import { copyFile } from "@/app/_server/files/copied-file";
import { refusedFile } from "@/app/_server/files/file-words";
import { leaveUpload } from "@/app/_server/files/open-uploads";
import { readableFile } from "@/app/_server/files/readable-file";
import { markUnusedFile } from "@/app/_server/files/settled-file";
import { fileWriter } from "@/app/_server/files/writing-rights";

export const dynamic = "force-dynamic";

/** `id` is the event's idempotency key, so a repeated request is recorded once. */
const sent = z.strictObject({ id: z.guid() });

/**
 * Attaches a file of another document to this document. The caller must be able to write here and
 * to read the file there.
 */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ document: string; file: string }> },
): Promise<Response> {
  const { document, file } = await params;
  const client = await pageClient();
  const parsed = sent.safeParse(await request.json().catch(() => null));
  const writer = await fileWriter(client, document);
  if (typeof writer === "string") return refusedFile(writer);
  if (!parsed.success || !isUuid(file)) return refusedFile("unreadable");
  const known = (await findFile(client, file)).some((found) => found.document === document);
  if (known) {
    // A process may have ended between recording the event and ending the upload.
    await leaveUpload(writer, file);
    return Response.json({ ok: true });
  }
  const found = await readableFile(client, writer.service, writer.userId, {
    file,
    workspace: null,
  });
  if (!found) return refusedFile("not-found");
  const body = await copyFile(client, writer, file, found);
  if (typeof body === "string") return refusedFile(body);
  const answer = await supabaseStore(client).append(document, null, [
    { id: parsed.data.id, type: "file.attached", body, subject: { kind: "file", id: file } },
  ]);
  if (answer.ok) {
    // The upload ends only now: a copy whose event was refused counts while its bytes remain.
    if (found.workspace !== writer.workspace) await leaveUpload(writer, file);
    return Response.json({ ok: true });
  }
  await markUnusedFile(writer, body.sha256);
  const { name, reason } = answer.refusal;
  // The file was just redacted, or deleted with its document.
  if (reason === "file-missing") return refusedFile("not-found");
  return Response.json({ ok: false, name, message: sentence(answer.refusal) }, { status: 409 });
}
