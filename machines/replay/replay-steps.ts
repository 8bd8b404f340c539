import type { PlaybackPath } from "@/events/history/timeline/playback-path";
import type { Span } from "@/events/history/timeline/timing-map";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * The player's position: a revision, and the playing time in ms at which it is reached or shown.
 */
export type Standing = { index: number; played: number };
type Place = { timeline: Timeline; playbackPath: PlaybackPath; index: number };

/** Returns the position at the revision nearest to `index`, whether or not the path visits it. */
export function standingAt(
  timeline: Timeline,
  playbackPath: PlaybackPath,
  index: number,
): Standing {
  const inside = Math.max(0, Math.min(Math.round(index), timeline.length - 1));
  return { index: inside, played: playbackPath.playedAt(inside) };
}

/** Returns the position after playing `played` ms of the playback path. */
export function standingAfter(playbackPath: PlaybackPath, played: number): Standing {
  const to = Math.max(0, Math.min(played, playbackPath.length));
  return { index: playbackPath.revisionAt(to), played: to };
}

/**
 * Returns the visited revision before or after this one, or the end of the path in that direction.
 */
export function steppedFrom({ playbackPath, index }: Place, by: -1 | 1): number {
  if (playbackPath.count === 0) return index;
  return by < 0
    ? (playbackPath.upTo(index - 1) ?? playbackPath.first)
    : (playbackPath.from(index + 1) ?? playbackPath.last);
}

/** Returns the last revision of the previous or next group, so that steps move between results. */
export function groupedFrom({ timeline, playbackPath, index }: Place, by: -1 | 1): number {
  if (playbackPath.count === 0) return index;
  if (by < 0) return playbackPath.upTo(timeline.groupBefore(index + 1) - 1) ?? playbackPath.first;
  const next = playbackPath.from(index + 1);
  return next === null
    ? playbackPath.last
    : (playbackPath.upTo(timeline.groupAfter(next) - 1) ?? next);
}

/**
 * Returns the stop before or after a revision, or the path's end in that direction. `stops` are
 * ascending.
 */
export function stoppedFrom(
  { playbackPath, index }: Pick<Place, "playbackPath" | "index">,
  stops: readonly number[],
  by: -1 | 1,
): number {
  if (playbackPath.count === 0) return index;
  const found =
    by < 0 ? stops.findLast((stop) => stop < index) : stops.find((stop) => stop > index);
  return found ?? (by < 0 ? playbackPath.first : playbackPath.last);
}

/** Returns the first visited revision of every span that has one. */
export function firstVisited(spans: readonly Span[], playbackPath: PlaybackPath): number[] {
  return spans.flatMap(({ from, to }) => {
    const first = playbackPath.from(from);
    return first !== null && first <= to ? [first] : [];
  });
}

/** Returns the first visited revision of every session that has one. */
export function sessionStops(
  { timingMap }: Pick<Timeline, "timingMap">,
  playbackPath: PlaybackPath,
): number[] {
  return firstVisited(timingMap.sessions, playbackPath);
}
