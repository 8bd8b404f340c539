import { setup, type SnapshotFrom } from 'xstate'
import { type PresenceState } from '@/events/presence-list'

export type PresenceEvent =
  /** A key, a pointer or a touch. */
  | { type: 'acted' }
  | { type: 'page.hidden' }
  | { type: 'page.seen' }

/** How awake this tab's person is. */
export const presenceMachine = setup({
  types: { events: {} as PresenceEvent },
  delays: { idle: 60_000 },
}).createMachine({
  id: 'presence',
  initial: 'active',
  on: { 'page.hidden': '.away' },
  states: {
    active: { after: { idle: 'idle' }, on: { acted: { target: 'active', reenter: true } } },
    idle: { on: { acted: 'active', 'page.seen': 'active' } },
    away: { on: { 'page.seen': 'active', 'page.hidden': {} } },
  },
})

/** What a tab tells others of itself. */
export function presenceState(snapshot: Pick<SnapshotFrom<typeof presenceMachine>, 'value'>): PresenceState {
  return snapshot.value
}
