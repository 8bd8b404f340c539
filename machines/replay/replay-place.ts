import {
  PlaybackPath,
  type Pacing,
  type PlaybackFilter,
} from "@/events/history/timeline/playback-path";
import { type Span } from "@/events/history/timeline/timing-map";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type Address, revisionOf, type Opening, type Speed, spanOf } from "./replay-opening";
import { type Prefix, prefixOf } from "./replay-prefix";
import { standingAt, type Standing } from "./replay-steps";

/** A clock in milliseconds that only ever goes forward. */
export type Clock = { now(): number };

export type ReplayInput = {
  /** Reads and opens the history; it tells how far it has come and, where that takes long, what its beginning is. */
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
    /** The stretch that is played; null plays everything. */
    range: Span | null;
    tickedAt: number;
    speed: Speed;
    loaded: number;
    resume: boolean;
  };

/** What there is to go about in: the whole, or what has come of it so far. */
export function placeOf({ open, prefix }: Context): Loaded | null {
  return open ?? prefix;
}

/** Opens the whole, where it was asked for or where one has gone meanwhile. */
export function opened(
  timeline: Timeline,
  { opening, pacing, playbackFilter, prefix, index: stood }: Context,
): Partial<Context> {
  const range = spanOf(timeline, opening);
  const playbackPath = new PlaybackPath(timeline, { pacing, playbackFilter, range });
  // The beginning has the same revisions as the whole: who has gone somewhere in it stays there.
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

/** The same place on another playback path. */
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

/** Stands somewhere; in a beginning that is where one wants to be from now on. */
export function standing({ prefix }: Context, place: Standing): Partial<Context> {
  return prefix ? { prefix: { ...prefix, sought: true }, ...place } : place;
}

/** Goes to a revision, in the whole or in what has come of it. */
export function sought(context: Context, index: (loaded: Loaded) => number): Partial<Context> {
  const place = placeOf(context);
  return place
    ? standing(context, standingAt(place.timeline, place.playbackPath, index(place)))
    : {};
}

/** Begins to play: at a revision that is visited. */
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

/** Goes, while the rest is on its way, to another revision than was asked for; once it has come, if it has not. */
export function readdressed(context: Context, at: Address): Partial<Context> {
  const { prefix } = context;
  const opening = { ...context.opening, at, play: false };
  return {
    opening,
    ...(prefix &&
      prefixOf(prefix.timeline, { ...context, opening, prefix: { ...prefix, sought: false } })),
  };
}
