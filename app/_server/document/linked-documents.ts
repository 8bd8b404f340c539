import { type LinkedDocument, nameOfLinked, unnamed } from "@/events/content/document-link";
import { linkedIn, withLinkNames } from "@/events/content/static-links";
import { documentsById } from "@/events/read-models/document-rows";
import type { Rows } from "@/events/read-models/rows";

type Linked = Record<string, LinkedDocument | null>;

/**
 * A text may have 25 000 links. The page names the others itself, and asks for documents that the
 * server did not ask for.
 */
export const mostNamed = 2_000;
/** As many documents are asked for with five requests. */
export const mostAsked = 400;

/**
 * Gives the first links in a text's HTML the names that its reader may see: of documents of the
 * workspace at hand, and of others as far as `client`, the reader's own, is shown them.
 */
export async function withLinks(
  client: Rows,
  workspace: readonly LinkedDocument[],
  html: string,
): Promise<{ html: string; linked: Linked }> {
  const ids = linkedIn(html);
  if (ids.length === 0) return { html, linked: {} };
  const known = new Map(workspace.map((row) => [row.id, row]));
  const unknownIds = ids.filter((id) => !known.has(id)).slice(0, mostAsked);
  const rows = new Map((await documentsById(client, unknownIds)).map((row) => [row.id, row]));
  const linked = Object.fromEntries(
    unknownIds.map((id) => {
      const row = rows.get(id);
      return [id, row ? { id, title: row.title, icon: row.icon, phase: row.phase } : null];
    }),
  );
  const nameOf = (id: string) => {
    const row = known.get(id) ?? linked[id];
    return row === undefined ? unnamed : nameOfLinked(row);
  };
  return { html: withLinkNames(html, nameOf, mostNamed), linked };
}
