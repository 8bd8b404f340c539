import { assign, fromPromise, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { Course, everyMoment, type Pacing, type Visits } from '../../events/replay/course'
import { type Span } from '../../events/replay/pace'
import { type Timeline } from '../../events/replay/timeline'
import { type Part, partOf, soughtIn } from './replay-part'
import { groupedFrom, sessionStops, standingAfter, standingAt, steppedFrom, stoppedFrom, type Standing } from './replay-steps'

export const speeds = [0.25, 0.5, 1, 2, 4, 8, 16, 32] as const
export type Speed = (typeof speeds)[number]

/** A clock in milliseconds that only ever goes forward. */
export type Clock = { now(): number }

/** A moment by its event's version and its edit within it; the last edit, without one. */
export type Address = { version: number; edit: number | null }

/** How a history is to be opened: null for `at` is the newest moment, null for `range` the whole, without `within` (milliseconds) its own pace. */
export type Opening = { at: Address | null; range: { from: number; to: number } | null; play: boolean; speed: Speed; within?: number | null }

export type ReplayInput = {
  /** Reads and opens the history; it tells how far it has come and, where that takes long, what its beginning is. */
  load: (signal: AbortSignal, onProgress: (version: number) => void, onPart: (timeline: Timeline) => void) => Promise<Timeline>
  clock: Clock
  opening: Opening
}

type Loaded = { timeline: Timeline; course: Course }

type Context = ReplayInput & Standing & {
  open: Loaded | null
  part: Part | null
  pacing: Pacing
  visits: Visits
  /** The stretch that is played; null plays everything. */
  range: Span | null
  tickedAt: number
  speed: Speed
  loaded: number
  resume: boolean
}

export type ReplayEvent =
  | { type: 'PROGRESS'; version: number }
  | { type: 'PART'; timeline: Timeline }
  | { type: 'RETRY' }
  | { type: 'PLAY' }
  | { type: 'PAUSE' }
  | { type: 'TOGGLE' }
  | { type: 'TICK' }
  | { type: 'SEEK'; index: number }
  | { type: 'AT'; at: Address }
  | { type: 'STEP'; by: -1 | 1 }
  | { type: 'GROUP'; by: -1 | 1 }
  | { type: 'SESSION'; by: -1 | 1 }
  | { type: 'SKIP'; ms: number }
  | { type: 'SCRUB'; index: number }
  | { type: 'SCRUBBED' }
  | { type: 'SPEED'; speed: Speed }
  | { type: 'PACE'; pacing: Pacing }
  | { type: 'VISIT'; visits: Visits }
  | { type: 'RANGE'; range: Span | null }

/** The moment an address names, or the nearest before it. */
export function momentOf(timeline: Timeline, { version, edit }: Address): number {
  const last = timeline.ofVersion(version)
  if (edit === null) return last
  let index = last
  while (index > 0 && timeline.moment(index).version === version && timeline.moment(index).edit > edit) index -= 1
  return timeline.moment(index).version === version ? index : last
}

function opened(timeline: Timeline, { opening, pacing, visits, part, index: stood }: Context): Partial<Context> {
  const ends = opening.range && [timeline.ofVersion(opening.range.from), timeline.ofVersion(opening.range.to)].sort((a, b) => a - b)
  const range = ends && { from: ends[0] ?? 0, to: ends[1] ?? 0 }
  const course = new Course(timeline, { pacing, visits, range })
  // The beginning has the same moments as the whole: who has gone somewhere in it stays there.
  const asked = part?.sought ? stood : opening.at ? momentOf(timeline, opening.at) : (range?.from ?? timeline.length - 1)
  const index = opening.play && course.from(asked + 1) === null ? course.first : asked
  return { open: { timeline, course }, part: null, range, speed: opening.speed, ...standingAt(timeline, course, index) }
}

/** Opens the beginning of a history at the moment that is asked for, if it holds that. */
function begun(timeline: Timeline, { opening: { at }, pacing }: Context): Partial<Context> {
  return partOf(timeline, pacing, at !== null && at.version <= timeline.version ? momentOf(timeline, at) : null)
}

/** The same place on another course. */
function rerouted(context: Context, change: Partial<Pick<Context, 'pacing' | 'visits' | 'range'>>): Partial<Context> {
  const { open, pacing, visits, range, index } = { ...context, ...change }
  if (!open) return change
  const course = new Course(open.timeline, { pacing, visits, range })
  return { ...change, open: { timeline: open.timeline, course }, ...standingAt(open.timeline, course, index) }
}

function sought({ open }: Context, index: (loaded: Loaded) => number): Partial<Context> {
  return open ? standingAt(open.timeline, open.course, index(open)) : {}
}

function entered({ open, index, played, clock }: Context): Partial<Context> {
  const tickedAt = clock.now()
  if (!open || open.course.count === 0 || open.course.visits(index)) return { tickedAt, played }
  return { tickedAt, ...standingAt(open.timeline, open.course, open.course.from(index) ?? open.course.last) }
}

const parts = setup({
  // XState infers the types of context, events and input from these; they hold no values.
  types: { context: {} as Context, events: {} as ReplayEvent, input: {} as ReplayInput },
  actors: {
    load: fromPromise(
      ({ input, signal }: { input: { load: ReplayInput['load']; onProgress: (version: number) => void; onPart: (timeline: Timeline) => void }; signal: AbortSignal }) =>
        input.load(signal, input.onProgress, input.onPart),
    ),
  },
  guards: {
    nothing: ({ context: { open } }) => !open || open.course.count === 0,
    atEnd: ({ context: { open, index } }) => open?.course.from(index + 1) === null,
    runsOut: ({ context: { open, clock, tickedAt, speed, played } }) =>
      !open || played + (clock.now() - tickedAt) * speed >= open.course.length,
    resumes: ({ context: { resume, open, index } }) => resume && open?.course.from(index + 1) !== null,
    autoplays: ({ context }) => context.opening.play,
  },
  actions: {
    wind: assign(({ context }) => sought(context, ({ course }) => course.first)),
    finish: assign(({ context }) => sought(context, ({ course }) => (course.count > 0 ? course.last : context.index))),
    start: assign(({ context }) => entered(context)),
    tick: assign(({ context: { open, clock, tickedAt, speed, played } }) => {
      const now = clock.now()
      return open ? { ...standingAfter(open.course, played + (now - tickedAt) * speed), tickedAt: now } : {}
    }),
    remember: assign((_, { resume }: { resume: boolean }) => ({ resume })),
    setSpeed: assign((_, { speed }: { speed: Speed }) => ({ speed })),
  },
})

const seek = parts.assign(({ context, event }) => (event.type === 'SEEK' ? sought(context, () => event.index) : {}))
const goAt = parts.assign(({ context, event }) => (event.type === 'AT' ? sought(context, ({ timeline }) => momentOf(timeline, event.at)) : {}))
const skip = parts.assign(({ context: { open, played }, event }) =>
  event.type === 'SKIP' && open && open.course.count > 0 ? standingAfter(open.course, played + event.ms) : {},
)
const step = parts.assign(({ context, event }) =>
  event.type === 'STEP' ? sought(context, (open) => steppedFrom({ ...open, index: context.index }, event.by)) : {},
)
const group = parts.assign(({ context, event }) =>
  event.type === 'GROUP' ? sought(context, (open) => groupedFrom({ ...open, index: context.index }, event.by)) : {},
)
const session = parts.assign(({ context, event }) =>
  event.type === 'SESSION'
    ? sought(context, ({ timeline, course }) => stoppedFrom({ course, index: context.index }, sessionStops(timeline, course), event.by))
    : {},
)
const goEarly = parts.assign(({ context, event }) =>
  event.type === 'SEEK' || event.type === 'SCRUB' ? soughtIn(context.part, () => event.index) : {},
)
const scrub = parts.assign(({ context, event }) => (event.type === 'SCRUB' ? sought(context, () => event.index) : {}))
const reroute = parts.assign(({ context, event }) =>
  event.type === 'PACE' ? rerouted(context, { pacing: event.pacing })
  : event.type === 'VISIT' ? rerouted(context, { visits: event.visits })
  : event.type === 'RANGE' ? rerouted(context, { range: event.range })
  : {},
)
const replay = { target: 'playing', actions: ['wind', 'start'] } as const
const play = [{ guard: 'nothing' }, { guard: 'atEnd', ...replay }, { target: 'playing', actions: 'start' }] as const
const rerouting = { PACE: { actions: reroute }, VISIT: { actions: reroute }, RANGE: { actions: reroute } }

/** The player: it loads a history, plays it against the clock it was given, and goes wherever it is told. */
export const replayMachine = parts.createMachine({
  id: 'replay',
  initial: 'loading',
  context: ({ input }) => ({
    ...input,
    open: null,
    part: null,
    pacing: input.opening.within ? { kind: 'within', ms: input.opening.within } : { kind: 'real' },
    visits: everyMoment,
    range: null,
    index: 0,
    played: 0,
    tickedAt: 0,
    speed: input.opening.speed,
    loaded: 0,
    resume: false,
  }),
  on: {
    SPEED: { actions: { type: 'setSpeed', params: ({ event }) => ({ speed: event.speed }) } },
    PACE: { actions: reroute },
  },
  states: {
    loading: {
      invoke: {
        src: 'load',
        input: ({ context, self }) => ({
          load: context.load,
          onProgress: (version) => self.send({ type: 'PROGRESS', version }),
          onPart: (timeline) => self.send({ type: 'PART', timeline }),
        }),
        onDone: [
          { guard: 'autoplays', target: 'ready.playing', actions: [assign(({ context, event }) => opened(event.output, context)), 'start'] },
          { target: 'ready', actions: assign(({ context, event }) => opened(event.output, context)) },
        ],
        onError: { target: 'failed', actions: assign({ part: null }) },
      },
      on: {
        PROGRESS: { actions: assign({ loaded: ({ event }) => event.version }) },
        PART: { actions: assign(({ context, event }) => begun(event.timeline, context)) },
        SEEK: { actions: goEarly },
        SCRUB: { actions: goEarly },
        STEP: { actions: assign(({ context, event }) => soughtIn(context.part, (part) => steppedFrom({ ...part, index: context.index }, event.by))) },
        GROUP: { actions: assign(({ context, event }) => soughtIn(context.part, (part) => groupedFrom({ ...part, index: context.index }, event.by))) },
      },
    },
    failed: { on: { RETRY: 'loading' } },
    ready: {
      initial: 'paused',
      on: {
        SEEK: { actions: seek },
        AT: { target: '.paused', actions: goAt },
        SKIP: { actions: skip },
        SESSION: { actions: session },
        STEP: { target: '.paused', actions: step },
        GROUP: { target: '.paused', actions: group },
        SCRUB: { target: '.seeking', actions: [{ type: 'remember', params: { resume: false } }, scrub] },
        ...rerouting,
      },
      states: {
        paused: { on: { PLAY: play, TOGGLE: play } },
        playing: {
          on: {
            TICK: [{ guard: 'runsOut', target: 'ended', actions: 'finish' }, { actions: 'tick' }],
            PAUSE: 'paused',
            TOGGLE: 'paused',
            SPEED: { actions: ['tick', { type: 'setSpeed', params: ({ event }) => ({ speed: event.speed }) }] },
            // It goes on with what is visited, from there on.
            SEEK: { actions: [seek, 'start'] },
            VISIT: { actions: [reroute, 'start'] },
            RANGE: { actions: [reroute, 'start'] },
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
            PLAY: play,
            TOGGLE: play,
            SEEK: { target: 'paused', actions: seek },
            SKIP: { target: 'paused', actions: skip },
            SESSION: { target: 'paused', actions: session },
            PACE: { target: 'paused', actions: reroute },
            VISIT: { target: 'paused', actions: reroute },
            RANGE: { target: 'paused', actions: reroute },
          },
        },
      },
    },
  },
})

export type ReplayActor = ActorRefFrom<typeof replayMachine>
export type ReplaySnapshot = SnapshotFrom<typeof replayMachine>
