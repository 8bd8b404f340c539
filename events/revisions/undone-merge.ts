import { bodyOf } from "@/events/core/recorded-body";
import type { TimelineRow } from "@/events/history/timeline/timeline";

type Row = Pick<TimelineRow, "version" | "type" | "body" | "actorId">;

/** An event that took merges back, and nothing else. */
export type Undone = { version: number; actorId: string };

/** What an event took back: the versions of one person from one to another; null where it is no such event. */
export function takenBack(row: Row): { author: string; from: number; to: number } | null {
  const { kind, author = null, from = null, to } = bodyOf(row, "document.reworked") ?? {};
  if (kind !== "author" || author === null || from === null || to === undefined) return null;
  return { author, from, to };
}

/**
 * The events of a document by which merges from another one were taken back, and that stand: of what they took out, a
 * later merge would bring nothing, for it is there already, deleted. Those that were taken back themselves are none.
 */
export function undoneMerges(rows: readonly Row[], source: string): Undone[] {
  const standing = new Map<number, Undone>();
  /** Merges, and what brought back those that had been taken back. */
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
