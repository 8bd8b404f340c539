import type { DocumentRow } from "@/events/read-models/document-rows";
import { pathOf, type DocumentTree } from "@/machines/tree-path";

/**
 * A document as its workspace shows it: in the trash, too, where `trashedIn`, something that it
 * stands in, was moved there.
 */
export type WorkspaceDocument = DocumentRow & { trashedIn: string | null };

type Place = Pick<DocumentRow, "parent" | "rank" | "phase">;

/** Where the documents stand. */
export const treeOfRows = (rows: readonly DocumentRow[]): DocumentTree =>
  new Map(rows.map(({ id, parent, rank, phase }) => [id, { parent, rank, phase }]));

/** What was made of each row last: whoever shows one compares it with the one before. */
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
 * The documents where a tree has them, last changed first, by whether they are in the trash, and
 * the ids of those that were deleted permanently.
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
