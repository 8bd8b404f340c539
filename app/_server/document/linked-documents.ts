import type { SupabaseClient } from "@supabase/supabase-js";
import { type LinkedDocument, nameOfLinked } from "@/events/content/document-link";
import { linkedIn, withLinkNames } from "@/events/content/static-links";
import { documentsById } from "@/events/read-models/document-rows";

type Linked = Record<string, LinkedDocument | null>;

/**
 * Gives the links in a text's HTML the names that its reader may see: of documents of the workspace
 * at hand, and of others as far as `client`, the reader's own, is shown them.
 */
export async function withLinks(
  client: SupabaseClient,
  workspace: readonly LinkedDocument[],
  html: string,
): Promise<{ html: string; linked: Linked }> {
  const ids = linkedIn(html);
  if (ids.length === 0) return { html, linked: {} };
  const known = new Map(workspace.map((row) => [row.id, row]));
  const unknownIds = ids.filter((id) => !known.has(id));
  const rows = new Map((await documentsById(client, unknownIds)).map((row) => [row.id, row]));
  const linked = Object.fromEntries(
    unknownIds.map((id) => {
      const row = rows.get(id);
      return [id, row ? { id, title: row.title, icon: row.icon, phase: row.phase } : null];
    }),
  );
  const nameOf = (id: string) => nameOfLinked(known.get(id) ?? linked[id] ?? null);
  return { html: withLinkNames(html, nameOf), linked };
}
