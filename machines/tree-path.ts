/** A document as the tree knows it. */
export type Placed = { parent: string | null; rank: string; phase: string };

/** The documents of one workspace by their ids, the purged ones included. */
export type DocumentTree = ReadonlyMap<string, Placed>;

type Ranked = Pick<Placed, "rank">;

/** By rank, letter by letter as the database compares them. */
export const byRank = (a: Ranked, b: Ranked) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0);

/** A document and all that it stands in, from itself upwards. */
export function pathOf(tree: DocumentTree, id: string | null): (Placed & { id: string })[] {
  const path: (Placed & { id: string })[] = [];
  for (let at = id; at !== null;) {
    const placed = tree.get(at);
    // What stands in itself is no tree; nobody who asks may wait for ever.
    if (!placed || path.length > tree.size) return path;
    path.push({ id: at, ...placed });
    at = placed.parent;
  }
  return path;
}

/** Whether neither the document nor anything that it stands in was moved to the trash. */
export function isLiving(tree: DocumentTree, id: string): boolean {
  return pathOf(tree, id).every(({ phase }) => phase === "live");
}
