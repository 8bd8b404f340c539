import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { readRows } from "@/events/log/paged-rows";

const linkingRow = z.object({
  document: z.string(),
  title: z.string(),
  icon: z.nullable(z.string()),
  block: z.string(),
  before: z.string(),
  after: z.string(),
});
/** A document that links to another, with the words around the link. */
export type LinkingDocument = z.infer<typeof linkingRow>;

/**
 * Reads the documents that link to a document, now or at a time in milliseconds. Documents that the
 * reader may not see are absent.
 */
export async function linkingDocuments(
  client: Pick<SupabaseClient, "rpc">,
  document: string,
  at: number | null,
): Promise<LinkingDocument[]> {
  const time = at === null ? null : new Date(at).toISOString();
  return readRows(await client.rpc("links_to", { document, at_time: time }), linkingRow);
}
