import { assign, setup, type SnapshotFrom } from 'xstate'
import { type PresenceState } from '@/events/presence-list'

export type PresenceEvent =
  /** A key, a pointer or a touch. */
  | { type: 'acted' }
  | { type: 'page.hidden' }
  | { type: 'page.seen' }
  | { type: 'follow'; userId: string }
  | { type: 'unfollow' }
  /** These people are here now. */
  | { type: 'people.changed'; userIds: string[] }

/** How awake this tab's person is, and whom they follow through the document. */
export const presenceMachine = setup({
  types: { context: {} as { followed: string | null }, events: {} as PresenceEvent },
  delays: { idle: 60_000 },
}).createMachine({
  id: 'presence',
  type: 'parallel',
  context: { followed: null },
  states: {
    awake: {
      initial: 'active',
      on: { 'page.hidden': '.away' },
      states: {
        active: { after: { idle: 'idle' }, on: { acted: { target: 'active', reenter: true } } },
        idle: { on: { acted: 'active' } },
        away: { on: { 'page.seen': 'active', 'page.hidden': {} } },
      },
    },
    following: {
      initial: 'nobody',
      on: { follow: { target: '.somebody', actions: assign({ followed: ({ event }) => event.userId }) } },
      states: {
        nobody: { entry: assign({ followed: null }) },
        somebody: {
          on: {
            unfollow: 'nobody',
            // Whoever types or clicks has their own way to go.
            acted: 'nobody',
            'people.changed': {
              guard: ({ context, event }) => context.followed !== null && !event.userIds.includes(context.followed),
              target: 'nobody',
            },
          },
        },
      },
    },
  },
})

/** What a tab tells others of itself. */
export function presenceState(snapshot: Pick<SnapshotFrom<typeof presenceMachine>, 'value'>): PresenceState {
  return snapshot.value.awake
}
