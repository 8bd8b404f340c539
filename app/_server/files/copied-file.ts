import type { SupabaseClient } from "@supabase/supabase-js";
import type { FoundFile } from "@/events/read-models/found-files";
import type { RefusedFile } from "./file-words";
import { previewWidths } from "./image-sizes";
import { countUpload } from "./open-uploads";
import { copyObject, objectName } from "./stored-files";
import { whyNoRoom } from "./writing-rights";
import type { Writer } from "./writing-rights";

/** The content of `file.attached` for a file copied from another document. */
type CopiedFile = Omit<FoundFile, "document" | "workspace" | "redactedAt" | "open">;

/**
 * Copies a file that the writer may read in another document into their workspace, and returns the
 * content of its event. The bytes were checked on upload. Until the event is recorded, the copy is
 * outside the quota, so it counts as an open upload.
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
    // Previews are copied first: if the full image exists, its previews exist too.
    for (const wide of [...previewWidths, null])
      await copyObject(
        service,
        objectName({ workspace: found.workspace, sha256 }, wide),
        objectName({ workspace, sha256 }, wide),
      );
  }
  return { sha256, bytes, name, type, width, height };
}
