import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type Return, returnsOf } from "./returns";

/** What the revisions of a history are that move words without writing or deleting any. */
export type Moves = {
  /** The event that a revision restored, took back or brought back something with; null for every other revision. */
  returnAt: (revision: number) => Return | null;
  /** Whether a revision is of such an event, or of a fork, a merge or an import. */
  isMove: (revision: number) => boolean;
};

const known = new WeakMap<Timeline, Moves>();

/** Tells which revisions of a timeline only moved words; found once for each. */
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
