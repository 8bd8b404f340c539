import { assign } from "xstate";
import { everyRevision } from "@/events/history/timeline/playback-path";
import type { Speed } from "./replay-opening";
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
  pacing: { actions: reroute },
  "playback.filter": { actions: reroute },
  range: { actions: reroute },
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

/** Transitions that navigate, in the whole history and in its prefix. */
const going = {
  skip: { actions: skip },
  session: { actions: session },
  step: { target: ".paused", actions: step },
  group: { target: ".paused", actions: group },
  scrub: { target: ".seeking", actions: [{ type: "remember", params: { resume: false } }, scrub] },
} as const;
const scrubFromPlaying = {
  target: "seeking",
  actions: [{ type: "remember", params: { resume: true } }, scrub],
} as const;
const paused = { on: { play: play, toggle: play } } as const;
const seeking = {
  on: {
    scrub: { actions: scrub },
    scrubbed: [{ guard: "resumes", target: "playing", actions: "start" }, { target: "paused" }],
  },
} as const;
// Playing continues with the next visited revision.
const seekPlaying = { actions: [seek, "start"] } as const;

/** The player: it loads a history, plays it by the given clock, and navigates in it. */
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
    speed: { actions: { type: "setSpeed", params: ({ event }) => ({ speed: event.speed }) } },
    pacing: { actions: reroute },
  },
  states: {
    loading: {
      initial: "waiting",
      invoke: {
        src: "load",
        input: ({ context, self }) => ({
          load: context.load,
          onProgress: (version) => self.send({ type: "progress", version }),
          onPrefix: (timeline) => self.send({ type: "prefix", timeline }),
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
        progress: { actions: assign({ loaded: ({ event }) => event.version }) },
        at: { actions: readdress },
        prefix: [
          { guard: "autoplaysPrefix", target: ".begun.playing", actions: [extend, "start"] },
          { target: ".begun", actions: extend },
        ],
      },
      states: {
        waiting: {},
        begun: {
          initial: "paused",
          on: {
            prefix: [
              { guard: "autoplaysPrefix", target: ".playing", actions: [extend, "start"] },
              { actions: extend },
            ],
            seek: { actions: seek },
            at: { target: ".paused", actions: readdress },
            ...going,
          },
          states: {
            paused,
            // At the end of the prefix, the player waits for more of the history.
            playing: {
              tags: "playing",
              on: {
                tick: { actions: "tick" },
                pause: "paused",
                toggle: "paused",
                speed: retimed,
                seek: seekPlaying,
                scrub: scrubFromPlaying,
              },
            },
            seeking,
          },
        },
      },
    },
    failed: { on: { retry: "loading" } },
    ready: {
      initial: "paused",
      on: {
        seek: { actions: seek },
        at: { target: ".paused", actions: goAt },
        ...going,
        ...rerouting,
      },
      states: {
        paused,
        playing: {
          tags: "playing",
          on: {
            tick: [{ guard: "runsOut", target: "ended", actions: "finish" }, { actions: "tick" }],
            pause: "paused",
            toggle: "paused",
            speed: retimed,
            seek: seekPlaying,
            "playback.filter": { actions: [reroute, "start"] },
            range: { actions: [reroute, "start"] },
            scrub: scrubFromPlaying,
          },
        },
        seeking,
        ended: {
          on: {
            play: play,
            toggle: play,
            seek: { target: "paused", actions: seek },
            skip: { target: "paused", actions: skip },
            session: { target: "paused", actions: session },
            pacing: { target: "paused", actions: reroute },
            "playback.filter": { target: "paused", actions: reroute },
            range: { target: "paused", actions: reroute },
          },
        },
      },
    },
  },
});
