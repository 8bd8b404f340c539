import type { DocumentRow } from "@/events/read-models/document-rows";
import { pathOf } from "@/machines/tree-path";
import type { DocumentTree } from "@/machines/tree-path";

/** A document in its workspace. `trashedIn` is the ancestor with which it was trashed, if any. */
export type WorkspaceDocument = DocumentRow & { trashedIn: string | null };

type Place = Pick<DocumentRow, "parent" | "rank" | "phase">;

/** Returns the tree of documents of these rows. */
export const treeOfRows = (rows: readonly DocumentRow[]): DocumentTree =>
  new Map(rows.map(({ id, parent, rank, phase }) => [id, { parent, rank, phase }]));

/** The last result for each row, because components compare rows by identity. */
const made = new WeakMap<DocumentRow, WorkspaceDocument>();

function placed(row: DocumentRow, place: Omit<WorkspaceDocument, keyof DocumentRow> & Place) {
  const before = made.get(row);
  const isSame =
    before?.parent === place.parent &&
    before.rank === place.rank &&
    before.phase === place.phase &&
    before.trashedIn === place.trashedIn;
  if (before && isSame) return before;
  const next = { ...row, ...place };
  made.set(row, next);
  return next;
}

/**
 * Places the documents in a tree, last changed first. Returns the live and the trashed documents,
 * and the ids of purged ones.
 */
export function placedDocuments(rows: readonly DocumentRow[], tree: DocumentTree) {
  const live: WorkspaceDocument[] = [];
  const trashed: WorkspaceDocument[] = [];
  const purged: string[] = [];
  for (const row of [...rows].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))) {
    if (row.phase === "purged") {
      purged.push(row.id);
      continue;
    }
    const { parent, rank } = tree.get(row.id) ?? row;
    const away = pathOf(tree, parent).find(({ phase }) => phase !== "live")?.id ?? null;
    const isLive = row.phase === "live" && away === null;
    const phase = isLive ? "live" : "trashed";
    const trashedIn = row.phase === "live" ? away : null;
    (isLive ? live : trashed).push(placed(row, { parent, rank, phase, trashedIn }));
  }
  return { live, trashed, purged };
}
