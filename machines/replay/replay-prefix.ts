import { PlaybackPath, everyRevision } from "@/events/history/timeline/playback-path";
import type { Pacing } from "@/events/history/timeline/playback-path";
import type { Timeline } from "@/events/history/timeline/timeline";
import { revisionOf, spanOf } from "./replay-opening";
import type { Opening } from "./replay-opening";
import { standingAt } from "./replay-steps";
import type { Standing } from "./replay-steps";

/**
 * The prefix of a history while the rest is loading. `sought` means that the prefix contains the
 * requested revision.
 */
export type Prefix = { timeline: Timeline; playbackPath: PlaybackPath; sought: boolean };
type Place = Standing & { prefix: Prefix };
type Stood = { opening: Opening; pacing: Pacing; prefix: Prefix | null; index: number };

/**
 * Returns the revision at which to open a prefix, or null if the prefix does not contain the
 * requested revision.
 */
function askedIn(timeline: Timeline, opening: Opening): number | null {
  const { at, range, play, within } = opening;
  const version = at?.version ?? (range && Math.min(range.from.version, range.to.version));
  // The pace for `within` depends on the whole history. Without `at` and `range`, the newest
  // revision is requested.
  if (version === null) return play && !within ? 0 : null;
  if (version > timeline.version) return null;
  return at ? revisionOf(timeline, at) : (spanOf(timeline, opening)?.from ?? null);
}

/** Whether a new prefix starts playing at once. */
export function playsPrefix(timeline: Timeline, { opening, prefix }: Stood): boolean {
  return opening.play && !opening.within && !prefix?.sought && askedIn(timeline, opening) !== null;
}

/**
 * Opens a prefix, or a longer one. A person who has moved stays where they are. Otherwise the
 * player opens at the requested revision, or at the end of a prefix that does not contain it.
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
