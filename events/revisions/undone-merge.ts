import { bodyOf } from "@/events/core/recorded-body";
import type { TimelineRow } from "@/events/history/timeline/timeline";

type Row = Pick<TimelineRow, "version" | "type" | "body" | "actorId">;

/** An event that only reverts merges. */
export type Undone = { version: number; actorId: string };

/** Returns one person's versions in a range that an event reverted, or null for other events. */
export function takenBack(row: Row): { author: string; from: number; to: number } | null {
  const { kind, author = null, from = null, to } = bodyOf(row, "document.reworked") ?? {};
  if (kind !== "author" || author === null || from === null || to === undefined) return null;
  return { author, from, to };
}

/**
 * Returns the document's standing events that reverted merges from `source`. A later merge would
 * not restore the content that they removed, because it is already present as deleted. Events that
 * were reverted themselves are left out.
 */
export function undoneMerges(rows: readonly Row[], source: string): Undone[] {
  const standing = new Map<number, Undone>();
  /** The versions of merges, and of events that restored reverted merges. */
  const merges = new Set<number>();
  for (const row of rows) {
    if (bodyOf(row, "document.merged")?.document === source) merges.add(row.version);
    const undone = takenBack(row);
    if (undone === null) continue;
    const own = rows.filter(
      ({ version, actorId }) =>
        version >= undone.from && version <= undone.to && actorId === undone.author,
    );
    if (own.some(({ version }) => standing.delete(version))) merges.add(row.version);
    else if (own.length > 0 && own.every(({ version }) => merges.has(version)))
      standing.set(row.version, { version: row.version, actorId: row.actorId });
  }
  return [...standing.values()];
}
