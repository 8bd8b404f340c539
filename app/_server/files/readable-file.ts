import type { SupabaseClient } from "@supabase/supabase-js";
import { findFile } from "@/events/read-models/found-files";
import type { FoundFile } from "@/events/read-models/found-files";
import { isShown } from "./shown-files";

/**
 * Returns a file as attached to the first document in which this person may read it, in all
 * workspaces or in one. Returns null if there is none.
 */
export async function readableFile(
  client: SupabaseClient,
  service: SupabaseClient,
  userId: string,
  { file, workspace }: { file: string; workspace: string | null },
): Promise<FoundFile | null> {
  for (const found of await findFile(client, file)) {
    if (workspace !== null && found.workspace !== workspace) continue;
    if (found.open || (await isShown(client, service, userId, { ...found, file }))) return found;
  }
  return null;
}
