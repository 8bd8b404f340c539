import { nameOfLinked, unnamed } from "@/events/content/document-link";
import type { LinkedDocument } from "@/events/content/document-link";
import { linkedIn, withLinkNames } from "@/events/content/static-links";
import { documentsById } from "@/events/read-models/document-rows";
import type { Rows } from "@/events/read-models/rows";

type Linked = Record<string, LinkedDocument | null>;

/**
 * The most links that the server names, since a text may have 25 000. The page names the rest, and
 * requests the documents that the server did not request.
 */
export const mostNamed = 2_000;
/** The most documents that the server looks up, in five requests. */
export const mostAsked = 400;

/**
 * Fills in the titles of a text's first links that its reader may see. These are documents of the
 * given workspace, and others that the reader's own `client` can read.
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
