import { describe, expect, it } from 'vitest'
import { createActor, waitFor } from 'xstate'
import { getShortestPaths } from 'xstate/graph'
import { row } from '../../events/rows.fixture'
import { openTimeline, type Timeline } from '../../events/timeline'
import { type ReplayEvent, replayMachine } from './replay'

const start = Date.UTC(2026, 10, 14, 15, 42)
const hour = 3_600_000
const times = [0, 500, 1000, 5000, hour, hour + 400]
const timeline = openTimeline(
  times.map((after, index) =>
    row(
      {
        version: index + 1,
        actorId: index < 3 ? 'Ana' : 'Ben',
        type: index === 0 ? 'document.created' : 'document.edited',
        body: index === 0 ? { title: 'Minutes' } : {},
      },
      start + after,
    ),
  ),
)
const last = timeline.length - 1

function machineAt(clock: { now(): number }, version: number | null = null, load?: () => Promise<Timeline>) {
  return { input: { clock, version, load: load ?? (() => Promise.resolve(timeline)) } }
}

async function opened(version: number | null = null) {
  const clock = { time: 0, now: () => clock.time }
  const actor = createActor(replayMachine, machineAt(clock, version)).start()
  await waitFor(actor, (snapshot) => snapshot.matches('ready'))
  const send = (...events: ReplayEvent[]) => {
    for (const event of events) actor.send(event)
    return actor.getSnapshot()
  }
  return { clock, send, at: () => actor.getSnapshot().context.index, state: () => JSON.stringify(actor.getSnapshot().value) }
}

describe('replay', () => {
  it('reaches every state and never leaves the history, whatever is asked of it [REPLAY-7]', async () => {
    const events: ReplayEvent[] = [
      { type: 'PLAY' }, { type: 'PAUSE' }, { type: 'TOGGLE' }, { type: 'TICK' }, { type: 'SEEK', index: 3 }, { type: 'SEEK', index: 99 },
      { type: 'STEP', by: -1 }, { type: 'STEP', by: 1 }, { type: 'GROUP', by: -1 }, { type: 'GROUP', by: 1 }, { type: 'SESSION', by: 1 },
      { type: 'SESSION', by: -1 }, { type: 'SKIP', ms: -5000 }, { type: 'SCRUB', index: 2 }, { type: 'SCRUBBED' }, { type: 'SPEED', speed: 4 },
      { type: 'RETRY' },
    ]
    let now = 0
    const actor = createActor(replayMachine, machineAt({ now: () => (now += 700) })).start()
    const fromState = await waitFor(actor, (snapshot) => snapshot.matches('ready'))
    const paths = getShortestPaths(replayMachine, {
      fromState,
      events,
      serializeState: ({ value, context }) => JSON.stringify([value, context.index, context.resume]),
      limit: 20_000,
    })
    const seen = new Set(paths.map(({ state }) => JSON.stringify(state.value)))
    expect([...seen].sort()).toEqual(['{"ready":"ended"}', '{"ready":"paused"}', '{"ready":"playing"}', '{"ready":"seeking"}'])
    expect(paths.length).toBeGreaterThan(timeline.length * 3)
    for (const { state } of paths) {
      const { index, played } = state.context
      expect(index).toBeGreaterThanOrEqual(0)
      expect(index).toBeLessThanOrEqual(last)
      if (state.matches('ready')) expect(timeline.pace.momentAt(played)).toBe(index)
      if (state.matches({ ready: 'ended' })) expect(index).toBe(last)
    }
  })

  it('opens paused at the version asked for, or at the newest moment [REPLAY-7]', async () => {
    const newest = await opened()
    const third = await opened(3)
    expect([newest.at(), newest.state(), third.at()]).toEqual([last, '{"ready":"paused"}', 2])
  })

  it('plays from the beginning when asked at the end, at the speed chosen, and stops at the end [REPLAY-7]', async () => {
    const { clock, send, at, state } = await opened()
    send({ type: 'PLAY' })
    expect(at()).toBe(0)
    clock.time += 600
    send({ type: 'TICK' })
    expect(at()).toBe(1)
    clock.time += 100
    send({ type: 'SPEED', speed: 4 })
    clock.time += 100
    send({ type: 'TICK' })
    expect(at()).toBe(2)
    clock.time += 60_000
    send({ type: 'TICK' })
    expect([at(), state()]).toEqual([last, '{"ready":"ended"}'])
  })

  it('goes on playing after a scrub only if it was playing before', async () => {
    const { send, state } = await opened(2)
    send({ type: 'SCRUB', index: 1 }, { type: 'SCRUBBED' })
    expect(state()).toBe('{"ready":"paused"}')
    send({ type: 'PLAY' }, { type: 'SCRUB', index: 1 }, { type: 'SCRUB', index: 3 }, { type: 'SCRUBBED' })
    expect(state()).toBe('{"ready":"playing"}')
  })

  it('steps by what one author did in one go and by sessions', async () => {
    const { send, at } = await opened(1)
    const stops = [0, 1, 2].map(() => send({ type: 'GROUP', by: 1 }) && at())
    expect(stops).toEqual([2, 3, last])
    send({ type: 'SESSION', by: -1 })
    expect(at()).toBe(4)
    send({ type: 'SESSION', by: -1 })
    expect(at()).toBe(0)
  })

  it('says when a history could not be read, and tries again', async () => {
    let tries = 0
    const load = () => (tries++ === 0 ? Promise.reject(new Error('gone')) : Promise.resolve(timeline))
    const actor = createActor(replayMachine, machineAt({ now: () => 0 }, null, load)).start()
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    actor.send({ type: 'RETRY' })
    expect((await waitFor(actor, (snapshot) => snapshot.matches('ready'))).context.index).toBe(last)
  })
})
