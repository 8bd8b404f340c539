import { assign, fromPromise, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { type Timeline } from '../../events/timeline'

export const speeds = [1, 2, 4, 8, 16, 32] as const
export type Speed = (typeof speeds)[number]

/** A clock in milliseconds that only ever goes forward. */
export type Clock = { now(): number }

export type ReplayInput = {
  /** Reads and opens the history; told how far it has come, it tells the machine. */
  load: (signal: AbortSignal, onProgress: (version: number) => void) => Promise<Timeline>
  clock: Clock
  /** The version to open at; null opens at the newest moment. */
  version: number | null
}

type Context = ReplayInput & {
  timeline: Timeline | null
  index: number
  /** Milliseconds of playing from the history's beginning; between two moments while it plays. */
  played: number
  tickedAt: number
  speed: Speed
  loaded: number
  resume: boolean
}

export type ReplayEvent =
  | { type: 'PROGRESS'; version: number }
  | { type: 'RETRY' }
  | { type: 'PLAY' }
  | { type: 'PAUSE' }
  | { type: 'TOGGLE' }
  | { type: 'TICK' }
  | { type: 'SEEK'; index: number }
  | { type: 'STEP'; by: number }
  | { type: 'GROUP'; by: -1 | 1 }
  | { type: 'SESSION'; by: -1 | 1 }
  | { type: 'SKIP'; ms: number }
  | { type: 'SCRUB'; index: number }
  | { type: 'SCRUBBED' }
  | { type: 'SPEED'; speed: Speed }

const lastOf = (timeline: Timeline | null) => Math.max(0, (timeline?.length ?? 1) - 1)

function placed(timeline: Timeline | null, index: number): { index: number; played: number } {
  const within = Math.max(0, Math.min(Math.round(index), lastOf(timeline)))
  return { index: within, played: timeline?.pace.playedAt(within) ?? 0 }
}

function groupFrom({ timeline, index }: Context, by: -1 | 1): number {
  if (!timeline) return index
  // One steps from what a group came to, to what the next one came to.
  if (by < 0) return timeline.groupBefore(index + 1) - 1
  const end = timeline.groupAfter(index) - 1
  return end > index ? end : timeline.groupAfter(end + 1) - 1
}

function sessionFrom({ timeline, index }: Context, by: -1 | 1): number {
  if (!timeline) return index
  const { sessions } = timeline.pace
  const current = timeline.pace.sessionOf(index)
  if (by > 0) return sessions[current + 1]?.from ?? lastOf(timeline)
  const start = sessions[current]?.from ?? 0
  return index > start ? start : (sessions[current - 1]?.from ?? 0)
}

function playedBy({ timeline, played }: Context, ms: number): { index: number; played: number } {
  if (!timeline) return { index: 0, played: 0 }
  const to = Math.max(0, Math.min(played + ms, timeline.pace.length))
  return { index: timeline.pace.momentAt(to), played: to }
}

const parts = setup({
  // XState infers the types of context, events and input from these; they hold no values.
  types: { context: {} as Context, events: {} as ReplayEvent, input: {} as ReplayInput },
  actors: {
    load: fromPromise(
      ({ input, signal }: { input: { load: ReplayInput['load']; onProgress: (version: number) => void }; signal: AbortSignal }) =>
        input.load(signal, input.onProgress),
    ),
  },
  guards: {
    atEnd: ({ context }) => context.index >= lastOf(context.timeline),
    runsOut: ({ context }) => {
      const { timeline, clock, tickedAt, speed, played } = context
      return !timeline || played + (clock.now() - tickedAt) * speed >= timeline.pace.length
    },
    resumes: ({ context }) => context.resume && context.index < lastOf(context.timeline),
  },
  actions: {
    wind: assign(({ context }) => placed(context.timeline, 0)),
    finish: assign(({ context }) => placed(context.timeline, lastOf(context.timeline))),
    start: assign({ tickedAt: ({ context }) => context.clock.now() }),
    tick: assign(({ context }) => {
      const now = context.clock.now()
      return { ...playedBy(context, (now - context.tickedAt) * context.speed), tickedAt: now }
    }),
    place: assign(({ context }, { index }: { index: number }) => placed(context.timeline, index)),
    remember: assign((_, { resume }: { resume: boolean }) => ({ resume })),
    setSpeed: assign((_, { speed }: { speed: Speed }) => ({ speed })),
  },
})

const seek = parts.assign(({ context, event }) => (event.type === 'SEEK' ? placed(context.timeline, event.index) : {}))
const skip = parts.assign(({ context, event }) => (event.type === 'SKIP' ? playedBy(context, event.ms) : {}))
const session = parts.assign(({ context, event }) => (event.type === 'SESSION' ? placed(context.timeline, sessionFrom(context, event.by)) : {}))
const scrub = parts.assign(({ context, event }) => (event.type === 'SCRUB' ? placed(context.timeline, event.index) : {}))
const replay = { target: 'playing', actions: ['wind', 'start'] } as const
const play = [{ guard: 'atEnd', ...replay }, { target: 'playing', actions: 'start' }] as const

/** The player: it loads a history, plays it against the clock it was given, and goes wherever it is told. */
export const replayMachine = parts.createMachine({
  id: 'replay',
  initial: 'loading',
  context: ({ input }) => ({ ...input, timeline: null, index: 0, played: 0, tickedAt: 0, speed: 1, loaded: 0, resume: false }),
  on: {
    SPEED: { actions: { type: 'setSpeed', params: ({ event }) => ({ speed: event.speed }) } },
  },
  states: {
    loading: {
      invoke: {
        src: 'load',
        input: ({ context, self }) => ({
          load: context.load,
          onProgress: (version) => self.send({ type: 'PROGRESS', version }),
        }),
        onDone: {
          target: 'ready',
          actions: assign(({ context, event }) => {
            const timeline = event.output
            const index = context.version === null ? lastOf(timeline) : timeline.ofVersion(context.version)
            return { timeline, ...placed(timeline, index) }
          }),
        },
        onError: 'failed',
      },
      on: { PROGRESS: { actions: assign({ loaded: ({ event }) => event.version }) } },
    },
    failed: { on: { RETRY: 'loading' } },
    ready: {
      initial: 'paused',
      on: {
        SEEK: { actions: seek },
        SKIP: { actions: skip },
        SESSION: { actions: session },
        STEP: { target: '.paused', actions: { type: 'place', params: ({ context, event }) => ({ index: context.index + event.by }) } },
        GROUP: { target: '.paused', actions: { type: 'place', params: ({ context, event }) => ({ index: groupFrom(context, event.by) }) } },
        SCRUB: { target: '.seeking', actions: [{ type: 'remember', params: { resume: false } }, scrub] },
      },
      states: {
        paused: { on: { PLAY: play, TOGGLE: play } },
        playing: {
          on: {
            TICK: [{ guard: 'runsOut', target: 'ended', actions: 'finish' }, { actions: 'tick' }],
            PAUSE: 'paused',
            TOGGLE: 'paused',
            SPEED: { actions: ['tick', { type: 'setSpeed', params: ({ event }) => ({ speed: event.speed }) }] },
            SCRUB: { target: 'seeking', actions: [{ type: 'remember', params: { resume: true } }, scrub] },
          },
        },
        seeking: {
          on: {
            SCRUB: { actions: scrub },
            SCRUBBED: [{ guard: 'resumes', target: 'playing', actions: 'start' }, { target: 'paused' }],
          },
        },
        ended: {
          on: {
            PLAY: replay,
            TOGGLE: replay,
            SEEK: { target: 'paused', actions: seek },
            SKIP: { target: 'paused', actions: skip },
            SESSION: { target: 'paused', actions: session },
          },
        },
      },
    },
  },
})

export type ReplayActor = ActorRefFrom<typeof replayMachine>
export type ReplaySnapshot = SnapshotFrom<typeof replayMachine>
