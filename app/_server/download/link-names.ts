import type { SupabaseClient } from "@supabase/supabase-js";
import { nameOfLinked } from "@/events/content/document-link";
import type { LinkName } from "@/events/content/document-link";
import { documentsById } from "@/events/read-models/document-rows";

/** The most linked documents that a file names, which takes 25 requests. */
export const mostInFile = 2_000;

/** Reads the names of the first linked documents of a text, among those its reader may see. */
export async function linkNames(
  client: SupabaseClient,
  linked: readonly string[],
): Promise<Map<string, LinkName>> {
  const ids = linked.slice(0, mostInFile);
  const rows = new Map((await documentsById(client, ids)).map((row) => [row.id, row]));
  return new Map(ids.map((id) => [id, nameOfLinked(rows.get(id) ?? null)]));
}
