import { assign, fromPromise, setup, stateIn } from "xstate";
import type { Pacing, PlaybackFilter } from "@/events/history/timeline/playback-path";
import type { Span } from "@/events/history/timeline/timing-map";
import type { Timeline } from "@/events/history/timeline/timeline";
import { revisionOf } from "./replay-opening";
import type { Address, Speed } from "./replay-opening";
import { prefixOf, playsPrefix } from "./replay-prefix";
import { entered, placeOf, readdressed, rerouted, sought, standing } from "./replay-place";
import type { Context, ReplayInput } from "./replay-place";
import { groupedFrom, sessionStops, standingAfter, steppedFrom, stoppedFrom } from "./replay-steps";

export type ReplayEvent =
  | { type: "progress"; version: number }
  | { type: "prefix"; timeline: Timeline }
  | { type: "retry" }
  | { type: "play" }
  | { type: "pause" }
  | { type: "toggle" }
  | { type: "tick" }
  | { type: "seek"; index: number }
  | { type: "at"; at: Address }
  | { type: "step"; by: -1 | 1 }
  | { type: "group"; by: -1 | 1 }
  | { type: "session"; by: -1 | 1 }
  | { type: "skip"; ms: number }
  | { type: "scrub"; index: number }
  | { type: "scrubbed" }
  | { type: "speed"; speed: Speed }
  | { type: "pacing"; pacing: Pacing }
  | { type: "playback.filter"; playbackFilter: PlaybackFilter }
  | { type: "range"; range: Span | null };

/**
 * Drops the result of a read that was aborted. React's strict mode restarts a stopped actor, and
 * the end of the first read would count as the end of the second.
 */
function unlessCalledOff<T>(signal: AbortSignal, reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    reading.then(
      (read) => !signal.aborted && resolve(read),
      (fault: unknown) => !signal.aborted && reject(fault),
    );
  });
}

/** The shared setup of the player's states: types, loader, guards and actions. */
export const replaySetup = setup({
  // XState infers the types of context, events and input from these casts. They hold no values.
  types: {
    context: {} as Context,
    events: {} as ReplayEvent,
    input: {} as ReplayInput,
    tags: {} as "playing",
  },
  actors: {
    load: fromPromise(
      ({
        input,
        signal,
      }: {
        input: {
          load: ReplayInput["load"];
          onProgress: (version: number) => void;
          onPrefix: (timeline: Timeline) => void;
        };
        signal: AbortSignal;
      }) => unlessCalledOff(signal, input.load(signal, input.onProgress, input.onPrefix)),
    ),
  },
  guards: {
    nothing: ({ context }) => (placeOf(context)?.playbackPath.count ?? 0) === 0,
    // At the end of the prefix, playing continues when a longer prefix arrives.
    atEnd: ({ context }) =>
      !context.prefix?.sought && placeOf(context)?.playbackPath.from(context.index + 1) === null,
    runsOut: ({ context: { open, clock, tickedAt, speed, played } }) =>
      !open || played + (clock.now() - tickedAt) * speed >= open.playbackPath.length,
    resumes: ({ context }) =>
      context.resume &&
      (context.prefix !== null || context.open?.playbackPath.from(context.index + 1) !== null),
    autoplays: ({ context }) => context.opening.play && !context.prefix?.sought,
    autoplaysPrefix: ({ context, event }) =>
      event.type === "prefix" && playsPrefix(event.timeline, context),
    playsPrefix: stateIn({ loading: { begun: "playing" } }),
    scrubsPrefix: stateIn({ loading: { begun: "seeking" } }),
  },
  actions: {
    wind: assign(({ context }) => sought(context, ({ playbackPath }) => playbackPath.first)),
    finish: assign(({ context }) =>
      sought(context, ({ playbackPath }) =>
        playbackPath.count > 0 ? playbackPath.last : context.index,
      ),
    ),
    start: assign(({ context }) => entered(context)),
    tick: assign(({ context }) => {
      const { clock, tickedAt, speed, played } = context;
      const place = placeOf(context);
      const now = clock.now();
      return place
        ? { ...standingAfter(place.playbackPath, played + (now - tickedAt) * speed), tickedAt: now }
        : {};
    }),
    remember: assign((_, { resume }: { resume: boolean }) => ({ resume })),
    setSpeed: assign((_, { speed }: { speed: Speed }) => ({ speed })),
  },
});

export const seek = replaySetup.assign(({ context, event }) =>
  event.type === "seek" ? sought(context, () => event.index) : {},
);
export const goAt = replaySetup.assign(({ context, event }) =>
  event.type === "at" ? sought(context, ({ timeline }) => revisionOf(timeline, event.at)) : {},
);
export const skip = replaySetup.assign(({ context, event }) => {
  const place = placeOf(context);
  return event.type === "skip" && place && place.playbackPath.count > 0
    ? standing(context, standingAfter(place.playbackPath, context.played + event.ms))
    : {};
});
export const step = replaySetup.assign(({ context, event }) =>
  event.type === "step"
    ? sought(context, (open) => steppedFrom({ ...open, index: context.index }, event.by))
    : {},
);
export const group = replaySetup.assign(({ context, event }) =>
  event.type === "group"
    ? sought(context, (open) => groupedFrom({ ...open, index: context.index }, event.by))
    : {},
);
export const session = replaySetup.assign(({ context, event }) =>
  event.type === "session"
    ? sought(context, ({ timeline, playbackPath }) =>
        stoppedFrom(
          { playbackPath, index: context.index },
          sessionStops(timeline, playbackPath),
          event.by,
        ),
      )
    : {},
);
export const scrub = replaySetup.assign(({ context, event }) =>
  event.type === "scrub" ? sought(context, () => event.index) : {},
);
export const reroute = replaySetup.assign(({ context, event }) =>
  event.type === "pacing"
    ? rerouted(context, { pacing: event.pacing })
    : event.type === "playback.filter"
      ? rerouted(context, { playbackFilter: event.playbackFilter })
      : event.type === "range"
        ? rerouted(context, { range: event.range })
        : {},
);
export const readdress = replaySetup.assign(({ context, event }) =>
  event.type === "at" ? readdressed(context, event.at) : {},
);
export const extend = replaySetup.assign(({ context, event }) =>
  // After a restarted read, a prefix may be shorter than the previous prefix.
  event.type === "prefix" && event.timeline.length > (context.prefix?.timeline.length ?? 0)
    ? prefixOf(event.timeline, context)
    : {},
);
