import type { SupabaseClient } from "@supabase/supabase-js";
import type { ShownImage } from "./embedded-images";
import { readableFile } from "@/app/_server/files/readable-file";
import { previewWidths } from "@/app/_server/files/image-sizes";
import { objectName } from "@/app/_server/files/stored-files";

/** The most images in a file. Images beyond this limit become links. */
const mostImages = 300;
const widest = Math.max(...previewWidths);

/**
 * Returns the text's images that its reader may see and that belong to its workspace. A text can
 * name images of another workspace, which recipients of the file may not be able to read.
 */
export async function shownImages(
  client: SupabaseClient,
  service: SupabaseClient,
  userId: string,
  { workspace, files }: { workspace: string; files: readonly string[] },
): Promise<ShownImage[]> {
  const shown: ShownImage[] = [];
  for (const file of files.slice(0, mostImages)) {
    const found = await readableFile(client, service, userId, { file, workspace });
    if (!found || found.type === "application/octet-stream") continue;
    const small = (found.width ?? 0) > widest ? [objectName(found, widest)] : [];
    shown.push({ file, objects: [...small, objectName(found)] });
  }
  return shown;
}
