import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { Timeline } from "@/events/history/timeline/timeline";
import { returnsOf } from "./returns";
import type { Return } from "./returns";

/** The revisions of a history that move words without writing or deleting any. */
export type Moves = {
  /** Returns the restore or revert event of a revision, or null for any other revision. */
  returnAt: (revision: number) => Return | null;
  /** Whether a revision belongs to a restore, a revert, a fork, a merge or an import. */
  isMove: (revision: number) => boolean;
};

const known = new WeakMap<Timeline, Moves>();

/** Returns the revisions of a timeline that only moved words. Computed once per timeline. */
export function movesOf(timeline: Timeline): Moves {
  const made = known.get(timeline);
  if (made) return made;
  const events = returnsOf(timeline);
  const contentOrigin = contentOriginOf(timeline);
  const moves = new Uint8Array(timeline.length);
  for (const { first, last } of events) moves.fill(1, first, last + 1);
  for (const { from, to } of contentOrigin.copyIns) moves.fill(1, from, to + 1);
  const found: Moves = {
    returnAt: (revision) =>
      moves[revision] === 1
        ? (events.find(({ first, last }) => first <= revision && last >= revision) ?? null)
        : null,
    isMove: (revision) => moves[revision] === 1,
  };
  known.set(timeline, found);
  return found;
}
