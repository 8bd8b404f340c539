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

/** `id` is the idempotency key of the event: what is asked twice is recorded once. */
const sent = z.strictObject({ id: z.guid() });

/**
 * Gives a document a file that its text has from another one: to who may write in the one and read
 * the file in the other.
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
    // An earlier request may have recorded it, and its process ended before it ended this.
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
    // One that was refused goes on counting, as its bytes stay for a while.
    if (found.workspace !== writer.workspace) await leaveUpload(writer, file);
    return Response.json({ ok: true });
  }
  await markUnusedFile(writer, body.sha256);
  const { name, reason } = answer.refusal;
  // It was redacted, or deleted with its document, in this moment.
  if (reason === "file-missing") return refusedFile("not-found");
  return Response.json({ ok: false, name, message: sentence(answer.refusal) }, { status: 409 });
}
