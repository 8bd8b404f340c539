/** A document's place in the tree. */
export type Placed = { parent: string | null; rank: string; phase: string };

/** The documents of one workspace by id, including purged ones. */
export type DocumentTree = ReadonlyMap<string, Placed>;

type Ranked = Pick<Placed, "rank">;

/** Compares by rank in string order, like the database. */
export const byRank = (a: Ranked, b: Ranked) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0);

/** Returns a document and its ancestors, from the document upwards. */
export function pathOf(tree: DocumentTree, id: string | null): (Placed & { id: string })[] {
  const path: (Placed & { id: string })[] = [];
  for (let at = id; at !== null;) {
    const placed = tree.get(at);
    // Stops at a cycle, which would loop endlessly.
    if (!placed || path.length > tree.size) return path;
    path.push({ id: at, ...placed });
    at = placed.parent;
  }
  return path;
}

/** Whether neither the document nor any ancestor is in the trash. */
export function isLiving(tree: DocumentTree, id: string): boolean {
  return pathOf(tree, id).every(({ phase }) => phase === "live");
}
