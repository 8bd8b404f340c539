import { assign, fromPromise, setup, stateIn } from "xstate";
import {
  everyRevision,
  type Pacing,
  type PlaybackFilter,
} from "@/events/history/timeline/playback-path";
import { type Span } from "@/events/history/timeline/timing-map";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type Address, revisionOf, type Speed } from "./replay-opening";
import { prefixOf, playsPrefix } from "./replay-prefix";
import {
  type Context,
  entered,
  opened,
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

const replaySetup = setup({
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
      }) => input.load(signal, input.onProgress, input.onPrefix),
    ),
  },
  guards: {
    nothing: ({ context }) => (placeOf(context)?.playbackPath.count ?? 0) === 0,
    // Who has come to the end of what there is so far goes on from there when more comes.
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

const seek = replaySetup.assign(({ context, event }) =>
  event.type === "SEEK" ? sought(context, () => event.index) : {},
);
const goAt = replaySetup.assign(({ context, event }) =>
  event.type === "AT" ? sought(context, ({ timeline }) => revisionOf(timeline, event.at)) : {},
);
const skip = replaySetup.assign(({ context, event }) => {
  const place = placeOf(context);
  return event.type === "SKIP" && place && place.playbackPath.count > 0
    ? standing(context, standingAfter(place.playbackPath, context.played + event.ms))
    : {};
});
const step = replaySetup.assign(({ context, event }) =>
  event.type === "STEP"
    ? sought(context, (open) => steppedFrom({ ...open, index: context.index }, event.by))
    : {},
);
const group = replaySetup.assign(({ context, event }) =>
  event.type === "GROUP"
    ? sought(context, (open) => groupedFrom({ ...open, index: context.index }, event.by))
    : {},
);
const session = replaySetup.assign(({ context, event }) =>
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
const scrub = replaySetup.assign(({ context, event }) =>
  event.type === "SCRUB" ? sought(context, () => event.index) : {},
);
const reroute = replaySetup.assign(({ context, event }) =>
  event.type === "PACING"
    ? rerouted(context, { pacing: event.pacing })
    : event.type === "PLAYBACK_FILTER"
      ? rerouted(context, { playbackFilter: event.playbackFilter })
      : event.type === "RANGE"
        ? rerouted(context, { range: event.range })
        : {},
);
const readdress = replaySetup.assign(({ context, event }) =>
  event.type === "AT" ? readdressed(context, event.at) : {},
);
const extend = replaySetup.assign(({ context, event }) =>
  // Where the reading had to begin anew, less may come than there was.
  event.type === "PREFIX" && event.timeline.length > (context.prefix?.timeline.length ?? 0)
    ? prefixOf(event.timeline, context)
    : {},
);
const replay = { target: "playing", actions: ["wind", "start"] } as const;
const play = [
  { guard: "nothing" },
  { guard: "atEnd", ...replay },
  { target: "playing", actions: "start" },
] as const;
const rerouting = {
  PACING: { actions: reroute },
  PLAYBACK_FILTER: { actions: reroute },
  RANGE: { actions: reroute },
};
const retimed = {
  actions: [
    "tick",
    {
      type: "setSpeed",
      params: ({ event }: { event: { speed: Speed } }) => ({ speed: event.speed }),
    },
  ],
} as const;

/** Going about, in the whole and in what has come of it. */
const going = {
  SKIP: { actions: skip },
  SESSION: { actions: session },
  STEP: { target: ".paused", actions: step },
  GROUP: { target: ".paused", actions: group },
  SCRUB: { target: ".seeking", actions: [{ type: "remember", params: { resume: false } }, scrub] },
} as const;
const scrubFromPlaying = {
  target: "seeking",
  actions: [{ type: "remember", params: { resume: true } }, scrub],
} as const;
const paused = { on: { PLAY: play, TOGGLE: play } } as const;
const seeking = {
  on: {
    SCRUB: { actions: scrub },
    SCRUBBED: [{ guard: "resumes", target: "playing", actions: "start" }, { target: "paused" }],
  },
} as const;
// It goes on with what is visited, from there on.
const seekPlaying = { actions: [seek, "start"] } as const;

/** The player: it loads a history, plays it against the clock it was given, and goes wherever it is told. */
export const replayMachine = replaySetup.createMachine({
  id: "replay",
  initial: "loading",
  context: ({ input }) => ({
    ...input,
    open: null,
    prefix: null,
    pacing: input.opening.within ? { kind: "within", ms: input.opening.within } : { kind: "real" },
    playbackFilter: everyRevision,
    range: null,
    index: 0,
    played: 0,
    tickedAt: 0,
    speed: input.opening.speed,
    loaded: 0,
    resume: false,
  }),
  on: {
    SPEED: { actions: { type: "setSpeed", params: ({ event }) => ({ speed: event.speed }) } },
    PACING: { actions: reroute },
  },
  states: {
    loading: {
      initial: "waiting",
      invoke: {
        src: "load",
        input: ({ context, self }) => ({
          load: context.load,
          onProgress: (version) => self.send({ type: "PROGRESS", version }),
          onPrefix: (timeline) => self.send({ type: "PREFIX", timeline }),
        }),
        onDone: [
          {
            guard: "playsPrefix",
            target: "ready.playing",
            actions: [assign(({ context, event }) => opened(event.output, context)), "start"],
          },
          {
            guard: "scrubsPrefix",
            target: "ready.seeking",
            actions: assign(({ context, event }) => opened(event.output, context)),
          },
          {
            guard: "autoplays",
            target: "ready.playing",
            actions: [assign(({ context, event }) => opened(event.output, context)), "start"],
          },
          {
            target: "ready",
            actions: assign(({ context, event }) => opened(event.output, context)),
          },
        ],
        onError: { target: "failed", actions: assign({ prefix: null }) },
      },
      on: {
        PROGRESS: { actions: assign({ loaded: ({ event }) => event.version }) },
        AT: { actions: readdress },
        PREFIX: [
          { guard: "autoplaysPrefix", target: ".begun.playing", actions: [extend, "start"] },
          { target: ".begun", actions: extend },
        ],
      },
      states: {
        waiting: {},
        begun: {
          initial: "paused",
          on: {
            PREFIX: [
              { guard: "autoplaysPrefix", target: ".playing", actions: [extend, "start"] },
              { actions: extend },
            ],
            SEEK: { actions: seek },
            AT: { target: ".paused", actions: readdress },
            ...going,
          },
          states: {
            paused,
            // At the end of what has come it waits for more.
            playing: {
              tags: "playing",
              on: {
                TICK: { actions: "tick" },
                PAUSE: "paused",
                TOGGLE: "paused",
                SPEED: retimed,
                SEEK: seekPlaying,
                SCRUB: scrubFromPlaying,
              },
            },
            seeking,
          },
        },
      },
    },
    failed: { on: { RETRY: "loading" } },
    ready: {
      initial: "paused",
      on: {
        SEEK: { actions: seek },
        AT: { target: ".paused", actions: goAt },
        ...going,
        ...rerouting,
      },
      states: {
        paused,
        playing: {
          tags: "playing",
          on: {
            TICK: [{ guard: "runsOut", target: "ended", actions: "finish" }, { actions: "tick" }],
            PAUSE: "paused",
            TOGGLE: "paused",
            SPEED: retimed,
            SEEK: seekPlaying,
            PLAYBACK_FILTER: { actions: [reroute, "start"] },
            RANGE: { actions: [reroute, "start"] },
            SCRUB: scrubFromPlaying,
          },
        },
        seeking,
        ended: {
          on: {
            PLAY: play,
            TOGGLE: play,
            SEEK: { target: "paused", actions: seek },
            SKIP: { target: "paused", actions: skip },
            SESSION: { target: "paused", actions: session },
            PACING: { target: "paused", actions: reroute },
            PLAYBACK_FILTER: { target: "paused", actions: reroute },
            RANGE: { target: "paused", actions: reroute },
          },
        },
      },
    },
  },
});
