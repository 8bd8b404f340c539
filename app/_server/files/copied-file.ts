import type { SupabaseClient } from "@supabase/supabase-js";
import type { FoundFile } from "@/events/read-models/found-files";
import type { RefusedFile } from "./file-words";
import { previewWidths } from "./image-sizes";
import { countUpload } from "./open-uploads";
import { copyObject, objectName } from "./stored-files";
import { whyNoRoom, type Writer } from "./writing-rights";

/** What `file.attached` says of a file that another document has. */
type CopiedFile = Omit<FoundFile, "document" | "workspace" | "redactedAt" | "open">;

/**
 * Has the workspace of whoever writes hold a file that they may read in another document, and
 * answers what the event says of it: the same bytes, which were looked at when they came. Until the
 * event is recorded a copy lies outside the quota, so it counts as an upload that is open.
 */
export async function copyFile(
  client: SupabaseClient,
  writer: Writer,
  file: string,
  found: FoundFile,
): Promise<CopiedFile | RefusedFile> {
  const { service, workspace } = writer;
  const { sha256, bytes, name, type, width, height } = found;
  if (found.workspace !== workspace) {
    const noRoom = await whyNoRoom(client, workspace, bytes);
    if (noRoom !== null) return noRoom;
    if (!(await countUpload(writer, file))) return "too-many-copies";
    // Smaller ones first: who finds the last finds them, too.
    for (const wide of [...previewWidths, null])
      await copyObject(
        service,
        objectName({ workspace: found.workspace, sha256 }, wide),
        objectName({ workspace, sha256 }, wide),
      );
  }
  return { sha256, bytes, name, type, width, height };
}
