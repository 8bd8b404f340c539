import { createActor, transition } from 'xstate'
import { getAdjacencyMap } from 'xstate/graph'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '@/events/virtual-clock.fixture'
import { machineClock } from './machine-clock'
import { presenceMachine, presenceState, type PresenceEvent } from './presence'

function started() {
  const clock = new VirtualClock()
  const actor = createActor(presenceMachine, { clock: machineClock(clock) }).start()
  return { clock, actor, state: () => presenceState(actor.getSnapshot()) }
}

describe('presence', () => {
  it('grows idle a minute after the last key and wakes with the next one', async () => {
    const { clock, actor, state } = started()
    await clock.advance(50_000)
    actor.send({ type: 'acted' })
    await clock.advance(50_000)
    expect(state()).toBe('active')
    await clock.advance(10_000)
    expect(state()).toBe('idle')
    actor.send({ type: 'acted' })
    expect(state()).toBe('active')
  })

  it('is away while the page is hidden', async () => {
    const { clock, actor, state } = started()
    actor.send({ type: 'page.hidden' })
    await clock.advance(120_000)
    expect(state()).toBe('away')
    actor.send({ type: 'page.seen' })
    expect(state()).toBe('active')
  })

  it('can become active again from every state, and away while it is hidden', () => {
    const graph = getAdjacencyMap(presenceMachine, {
      events: [{ type: 'acted' }, { type: 'page.hidden' }, { type: 'page.seen' }, { type: 'xstate.after.idle.presence.active' }] as PresenceEvent[],
    })
    expect(new Set(Object.values(graph).map(({ state }) => state.value))).toEqual(new Set(['active', 'idle', 'away']))
    for (const { state } of Object.values(graph)) {
      expect(transition(presenceMachine, state, { type: 'page.hidden' })[0].value).toBe('away')
      expect(transition(presenceMachine, state, { type: 'page.seen' })[0].value).toBe('active')
    }
  })
})
