import { PlaybackPath } from "@/events/history/timeline/playback-path";
import type { Pacing, PlaybackFilter } from "@/events/history/timeline/playback-path";
import type { Span } from "@/events/history/timeline/timing-map";
import type { Timeline } from "@/events/history/timeline/timeline";
import { revisionOf, spanOf } from "./replay-opening";
import type { Address, Opening, Speed } from "./replay-opening";
import { prefixOf } from "./replay-prefix";
import type { Prefix } from "./replay-prefix";
import { standingAt } from "./replay-steps";
import type { Standing } from "./replay-steps";

/** A monotonic clock, in ms. */
export type Clock = { now(): number };

export type ReplayInput = {
  /**
   * Reads and opens the history. Reports its progress and, if the reading takes long, the prefix
   * read so far.
   */
  load: (
    signal: AbortSignal,
    onProgress: (version: number) => void,
    onPrefix: (timeline: Timeline) => void,
  ) => Promise<Timeline>;
  clock: Clock;
  opening: Opening;
};

type Loaded = { timeline: Timeline; playbackPath: PlaybackPath };

export type Context = ReplayInput &
  Standing & {
    open: Loaded | null;
    prefix: Prefix | null;
    pacing: Pacing;
    playbackFilter: PlaybackFilter;
    /** The stretch to play, or null to play everything. */
    range: Span | null;
    tickedAt: number;
    speed: Speed;
    loaded: number;
    resume: boolean;
  };

/** Returns the part that can be navigated: the whole history, or the prefix read so far. */
export function placeOf({ open, prefix }: Context): Loaded | null {
  return open ?? prefix;
}

/** Opens the whole history at the requested revision, or where the person has moved meanwhile. */
export function opened(
  timeline: Timeline,
  { opening, pacing, playbackFilter, prefix, index: stood }: Context,
): Partial<Context> {
  const range = spanOf(timeline, opening);
  const playbackPath = new PlaybackPath(timeline, { pacing, playbackFilter, range });
  // The prefix has the same revisions as the whole history, so a person who has moved stays there.
  const goal = prefix?.sought
    ? stood
    : opening.at
      ? revisionOf(timeline, opening.at)
      : (range?.from ?? timeline.length - 1);
  const index =
    opening.play && !prefix?.sought && playbackPath.from(goal + 1) === null
      ? playbackPath.first
      : goal;
  return {
    open: { timeline, playbackPath },
    prefix: null,
    range,
    ...standingAt(timeline, playbackPath, index),
  };
}

/** Keeps the revision and moves to another playback path. */
export function rerouted(
  context: Context,
  change: Partial<Pick<Context, "pacing" | "playbackFilter" | "range">>,
): Partial<Context> {
  const { open, pacing, playbackFilter, range, index } = { ...context, ...change };
  if (!open) return change;
  const playbackPath = new PlaybackPath(open.timeline, { pacing, playbackFilter, range });
  return {
    ...change,
    open: { timeline: open.timeline, playbackPath },
    ...standingAt(open.timeline, playbackPath, index),
  };
}

/** Moves to a place. Within a prefix, this place becomes the requested one. */
export function standing({ prefix }: Context, place: Standing): Partial<Context> {
  return prefix ? { prefix: { ...prefix, sought: true }, ...place } : place;
}

/** Moves to a revision, in the whole history or in its prefix. */
export function sought(context: Context, index: (loaded: Loaded) => number): Partial<Context> {
  const place = placeOf(context);
  return place
    ? standing(context, standingAt(place.timeline, place.playbackPath, index(place)))
    : {};
}

/** Starts playing at a revision that the playback path visits. */
export function entered(context: Context): Partial<Context> {
  const { index, played, clock } = context;
  const place = placeOf(context);
  const tickedAt = clock.now();
  if (!place || place.playbackPath.count === 0 || place.playbackPath.playbackFilter(index))
    return { tickedAt, ...standing(context, { index, played }) };
  return {
    tickedAt,
    ...standing(
      context,
      standingAt(
        place.timeline,
        place.playbackPath,
        place.playbackPath.from(index) ?? place.playbackPath.last,
      ),
    ),
  };
}

/** Moves to another address while the rest is loading, at once or when its revision has arrived. */
export function readdressed(context: Context, at: Address): Partial<Context> {
  const { prefix } = context;
  const opening = { ...context.opening, at, play: false };
  return {
    opening,
    ...(prefix &&
      prefixOf(prefix.timeline, { ...context, opening, prefix: { ...prefix, sought: false } })),
  };
}
