import { PlaybackPath, everyRevision, type Pacing } from "@/events/history/timeline/playback-path";
import { type Timeline } from "@/events/history/timeline/timeline";
import { revisionOf, type Opening, spanOf } from "./replay-opening";
import { standingAt, type Standing } from "./replay-steps";

/**
 * The beginning of a history while the rest is on its way, and whether a revision of it is what is
 * asked for.
 */
export type Prefix = { timeline: Timeline; playbackPath: PlaybackPath; sought: boolean };
type Place = Standing & { prefix: Prefix };
type Stood = { opening: Opening; pacing: Pacing; prefix: Prefix | null; index: number };

/**
 * The revision of a beginning at which it is to be opened; null if what is asked for is not in it.
 */
function askedIn(timeline: Timeline, opening: Opening): number | null {
  const { at, range, play, within } = opening;
  const version = at?.version ?? (range && Math.min(range.from.version, range.to.version));
  // How fast it is to run within a given time, the whole alone tells; without either, the newest revision is asked for.
  if (version === null) return play && !within ? 0 : null;
  if (version > timeline.version) return null;
  return at ? revisionOf(timeline, at) : (spanOf(timeline, opening)?.from ?? null);
}

/** Whether a beginning that has just come is to be played at once. */
export function playsPrefix(timeline: Timeline, { opening, prefix }: Stood): boolean {
  return opening.play && !opening.within && !prefix?.sought && askedIn(timeline, opening) !== null;
}

/**
 * Opens a beginning, or one that goes further than the one before: whoever has gone somewhere stays
 * there. It stands at the revision that was asked for or, if that is not in it, as far as it goes.
 */
export function prefixOf(timeline: Timeline, { opening, pacing, prefix, index }: Stood): Place {
  const opened = askedIn(timeline, opening);
  const playbackPath = new PlaybackPath(timeline, {
    pacing,
    playbackFilter: everyRevision,
    range: opened === null ? null : spanOf(timeline, opening),
  });
  const goal = prefix?.sought ? index : opened;
  return {
    prefix: { timeline, playbackPath, sought: goal !== null },
    ...standingAt(timeline, playbackPath, goal ?? timeline.length - 1),
  };
}
