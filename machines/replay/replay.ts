import { assign } from "xstate";
import { everyRevision } from "@/events/history/timeline/playback-path";
import { type Speed } from "./replay-opening";
import { opened } from "./replay-place";
import {
  extend,
  goAt,
  group,
  readdress,
  replaySetup,
  reroute,
  scrub,
  seek,
  session,
  skip,
  step,
} from "./replay-setup";

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

/** Navigation, in the whole history and in its prefix. */
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
// Playing continues from there with the next visited revision.
const seekPlaying = { actions: [seek, "start"] } as const;

/** The player: loads a history, plays it by the given clock, and navigates in it. */
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
            // At the end of the prefix it waits for more.
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
