import { byRank } from "./tree-path";
import type { Placed } from "./tree-path";

/** A document as a row of the tree, with its level from 1 and its position among its siblings. */
export type TreeRow<Document> = {
  document: Document;
  level: number;
  position: number;
  size: number;
  hasInside: boolean;
};

type Shown = Pick<Placed, "parent" | "rank"> & { id: string };
type Inside<Document> = ReadonlyMap<string | null, readonly Document[]>;

/**
 * Returns documents by parent, each list in order. Documents without a known parent are at the top
 * level.
 */
export function insideOf<Document extends Shown>(documents: readonly Document[]): Inside<Document> {
  const known = new Set(documents.map(({ id }) => id));
  const inside = new Map<string | null, Document[]>();
  for (const document of [...documents].sort(byRank)) {
    const parent = document.parent !== null && known.has(document.parent) ? document.parent : null;
    const list = inside.get(parent);
    if (list) list.push(document);
    else inside.set(parent, [document]);
  }
  return inside;
}

/** Returns the rows from top to bottom, with the children of open documents. */
export function rowsOf<Document extends Shown>(
  inside: Inside<Document>,
  isOpen: (id: string) => boolean,
): TreeRow<Document>[] {
  const rows: TreeRow<Document>[] = [];
  const add = (parent: string | null, level: number) => {
    const list = inside.get(parent) ?? [];
    for (const [index, document] of list.entries()) {
      const hasInside = inside.has(document.id);
      rows.push({ document, level, position: index + 1, size: list.length, hasInside });
      if (hasInside && isOpen(document.id)) add(document.id, level + 1);
    }
  };
  add(null, 1);
  return rows;
}

/** Returns the first rows as the server placed them, without those inside a closed document. */
export function placedRows<Document extends Shown>(
  places: readonly (Omit<TreeRow<Document>, "document"> & { id: string })[],
  documents: readonly Document[],
  isOpen: (id: string) => boolean,
): TreeRow<Document>[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  let closedLevel = Infinity;
  return places.flatMap(({ id, ...place }) => {
    const document = byId.get(id);
    if (!document || place.level > closedLevel) return [];
    closedLevel = place.hasInside && !isOpen(id) ? place.level : Infinity;
    return [{ ...place, document }];
  });
}

/** Returns a document's ancestors, outermost first. */
export function aboveOf<Document extends Shown>(
  documents: readonly Document[],
  id: string | undefined,
): Document[] {
  return aboveIn(new Map(documents.map((document) => [document.id, document])), id);
}

/** Returns the ancestors as `aboveOf` does, from a map of documents by id. */
export function aboveIn<Document extends Shown>(
  byId: ReadonlyMap<string, Document>,
  id: string | undefined,
): Document[] {
  const above: Document[] = [];
  for (let at = byId.get(id ?? ""); at && above.length < byId.size;) {
    at = byId.get(at.parent ?? "");
    if (at) above.unshift(at);
  }
  return above;
}
