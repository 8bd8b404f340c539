import { assign, fromPromise, setup, stateIn } from "xstate";
import type { Pacing, PlaybackFilter } from "@/events/history/timeline/playback-path";
import { type Span } from "@/events/history/timeline/timing-map";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type Address, revisionOf, type Speed } from "./replay-opening";
import { prefixOf, playsPrefix } from "./replay-prefix";
import {
  type Context,
  entered,
  placeOf,
  readdressed,
  type ReplayInput,
  rerouted,
  sought,
  standing,
} from "./replay-place";
import { groupedFrom, sessionStops, standingAfter, steppedFrom, stoppedFrom } from "./replay-steps";

export type ReplayEvent =
  | { type: "PROGRESS"; version: number }
  | { type: "PREFIX"; timeline: Timeline }
  | { type: "RETRY" }
  | { type: "PLAY" }
  | { type: "PAUSE" }
  | { type: "TOGGLE" }
  | { type: "TICK" }
  | { type: "SEEK"; index: number }
  | { type: "AT"; at: Address }
  | { type: "STEP"; by: -1 | 1 }
  | { type: "GROUP"; by: -1 | 1 }
  | { type: "SESSION"; by: -1 | 1 }
  | { type: "SKIP"; ms: number }
  | { type: "SCRUB"; index: number }
  | { type: "SCRUBBED" }
  | { type: "SPEED"; speed: Speed }
  | { type: "PACING"; pacing: Pacing }
  | { type: "PLAYBACK_FILTER"; playbackFilter: PlaybackFilter }
  | { type: "RANGE"; range: Span | null };

/**
 * Drops the result of a read that was aborted. React's strict mode restarts an actor that it has
 * stopped, and the end of the first read would count as that of the second.
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
  // XState infers the types of context, events and input from these; they hold no values.
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
    // At the end of the prefix, playing continues when more arrives.
    atEnd: ({ context }) =>
      !context.prefix?.sought && placeOf(context)?.playbackPath.from(context.index + 1) === null,
    runsOut: ({ context: { open, clock, tickedAt, speed, played } }) =>
      !open || played + (clock.now() - tickedAt) * speed >= open.playbackPath.length,
    resumes: ({ context }) =>
      context.resume &&
      (context.prefix !== null || context.open?.playbackPath.from(context.index + 1) !== null),
    autoplays: ({ context }) => context.opening.play && !context.prefix?.sought,
    autoplaysPrefix: ({ context, event }) =>
      event.type === "PREFIX" && playsPrefix(event.timeline, context),
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
  event.type === "SEEK" ? sought(context, () => event.index) : {},
);
export const goAt = replaySetup.assign(({ context, event }) =>
  event.type === "AT" ? sought(context, ({ timeline }) => revisionOf(timeline, event.at)) : {},
);
export const skip = replaySetup.assign(({ context, event }) => {
  const place = placeOf(context);
  return event.type === "SKIP" && place && place.playbackPath.count > 0
    ? standing(context, standingAfter(place.playbackPath, context.played + event.ms))
    : {};
});
export const step = replaySetup.assign(({ context, event }) =>
  event.type === "STEP"
    ? sought(context, (open) => steppedFrom({ ...open, index: context.index }, event.by))
    : {},
);
export const group = replaySetup.assign(({ context, event }) =>
  event.type === "GROUP"
    ? sought(context, (open) => groupedFrom({ ...open, index: context.index }, event.by))
    : {},
);
export const session = replaySetup.assign(({ context, event }) =>
  event.type === "SESSION"
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
  event.type === "SCRUB" ? sought(context, () => event.index) : {},
);
export const reroute = replaySetup.assign(({ context, event }) =>
  event.type === "PACING"
    ? rerouted(context, { pacing: event.pacing })
    : event.type === "PLAYBACK_FILTER"
      ? rerouted(context, { playbackFilter: event.playbackFilter })
      : event.type === "RANGE"
        ? rerouted(context, { range: event.range })
        : {},
);
export const readdress = replaySetup.assign(({ context, event }) =>
  event.type === "AT" ? readdressed(context, event.at) : {},
);
export const extend = replaySetup.assign(({ context, event }) =>
  // After a restarted read, a prefix may be shorter than the previous one.
  event.type === "PREFIX" && event.timeline.length > (context.prefix?.timeline.length ?? 0)
    ? prefixOf(event.timeline, context)
    : {},
);
