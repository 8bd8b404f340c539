import { createActor } from 'xstate'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '@/events/virtual-clock.fixture'
import { machineClock } from './machine-clock'
import { presenceMachine, presenceState } from './presence'

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

  it('follows a person until one acts oneself or the person leaves', () => {
    const { actor } = started()
    actor.send({ type: 'follow', userId: 'ana' })
    actor.send({ type: 'people.changed', userIds: ['ana', 'ben'] })
    expect(actor.getSnapshot().context.followed).toBe('ana')
    actor.send({ type: 'people.changed', userIds: ['ben'] })
    expect(actor.getSnapshot().context.followed).toBeNull()
    actor.send({ type: 'follow', userId: 'ben' })
    actor.send({ type: 'acted' })
    expect(actor.getSnapshot().matches({ following: 'nobody' })).toBe(true)
  })
})
