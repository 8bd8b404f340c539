import { assign, fromPromise, raise, setup } from 'xstate'
import { type Refusal } from '@/events/refusal'
import { StoreFault } from '@/events/store'

/** What came of one attempt to empty the outbox. */
export type SendOutcome =
  | { kind: 'empty' }
  | { kind: 'more' }
  /** Everything left builds on text that the log does not hold yet. */
  | { kind: 'blocked' }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'signed-out' }

export type SyncEvent =
  | { type: 'link.connecting' }
  | { type: 'link.joined' }
  | { type: 'link.lost' }
  | { type: 'log.noticed' }
  | { type: 'caught.up' }
  | { type: 'edited' }
  | { type: 'counted'; pending: number; stranded: number }
  | { type: 'flush' }
  | { type: 'retry' }
  | { type: 'session.ended' }
  | { type: 'session.restored' }
  | { type: 'access.changed'; access: Access }
  | { type: 'storage.failed' }
  | { type: 'storage.restored' }
  | { type: 'slowed'; delay: number }
  /** What the browser says of its network. */
  | { type: 'offline' }
  | { type: 'online' }
  /** The server has ruled on what was sent. */
  | { type: 'answered' }
  | { type: 'failed'; call: 'read' | 'send'; trouble: Trouble }

/** Why a call failed: nobody answered, or the server answered that it cannot. */
export type Trouble = 'silence' | 'fault'

export type Access = 'write' | 'read' | 'none'

type Context = {
  /** Own edits that the log does not hold, or does not yet show, yet. */
  pending: number
  /** How many of them cannot be placed, because what they hang on is lost. */
  stranded: number
  refusal: Refusal | null
  /** Sends that failed in a row. */
  failures: number
  /** Readings that failed in a row. */
  misses: number
  /** Why the last call failed; a sending's reason counts for more than a reading's. */
  trouble: Trouble
  /** A notice came while the log was being read. */
  again: boolean
  /** Whether this person may read the document at all. */
  admitted: boolean
  /** Milliseconds by which broadcasts are held back to stay within the message limit. */
  delay: number
}

/**
 * How one open document stands with the log. `link` is the way to it, `contact` how long the way has been missing,
 * `outbox` what is on the way, and the other regions what the person may do and what the device can keep.
 */
export const syncMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SyncEvent,
  },
  actors: {
    catchUp: fromPromise<void>(() => Promise.resolve()),
    send: fromPromise<SendOutcome>(() => Promise.resolve({ kind: 'empty' })),
  },
  delays: {
    gather: 30,
    poll: 10_000,
    alone: 3_000,
    reread: ({ context }) => backoff(context.misses),
    // Each event is announced to everybody as well, so it keeps to the same pace as the letters.
    flush: ({ context }) => Math.max(800, context.delay),
    held: 500,
    resend: ({ context }) => backoff(context.failures),
    grace: 5_000,
    silence: 10_000,
  },
  guards: {
    again: ({ context }) => context.again,
    admitted: ({ context }) => context.admitted,
    signedOut: ({ context }) => context.refusal === null,
    sendable: ({ context }) => context.failures === 0,
    foremost: ({ context, event }) => event.type === 'failed' && (event.call === 'send' || context.failures === 0),
  },
  actions: {
    unsent: assign({ failures: ({ context }) => context.failures + 1 }),
    sent: assign({ failures: 0, refusal: null }),
    unread: assign({ misses: ({ context }) => context.misses + 1 }),
    read: assign({ misses: 0 }),
    silent: assign({ trouble: 'silence' }),
    tellCaughtUp: raise({ type: 'caught.up' }),
    tellAnswered: raise({ type: 'answered' }),
    tellReadSilent: raise({ type: 'failed', call: 'read', trouble: 'silence' }),
    tellSendSilent: raise({ type: 'failed', call: 'send', trouble: 'silence' }),
    tellReadFailed: raise((_, { error }: { error: unknown }) => ({ type: 'failed', call: 'read', trouble: troubleOf(error) })),
    tellSendFailed: raise((_, { error }: { error: unknown }) => ({ type: 'failed', call: 'send', trouble: troubleOf(error) })),
  },
}).createMachine({
  id: 'sync',
  type: 'parallel',
  context: { pending: 0, stranded: 0, refusal: null, failures: 0, misses: 0, trouble: 'silence', again: false, admitted: true, delay: 0 },
  on: {
    counted: { actions: assign({ pending: ({ event }) => event.pending, stranded: ({ event }) => event.stranded }) },
    slowed: { actions: assign({ delay: ({ event }) => event.delay }) },
    failed: { guard: 'foremost', actions: assign({ trouble: ({ event }) => event.trouble }) },
    offline: { actions: 'silent' },
  },
  states: {
    link: {
      initial: 'offline',
      on: {
        'link.lost': '.offline',
        'link.connecting': '.connecting',
        'link.joined': '.catchingUp.reading',
      },
      states: {
        // The log can be reached where the channel cannot, so it is read now and then without one.
        offline: {
          initial: 'resting',
          states: {
            resting: {
              after: { alone: { guard: 'admitted', target: 'reading' } },
              on: { online: { guard: 'admitted', target: 'reading' } },
            },
            reading: {
              after: { silence: { actions: 'tellReadSilent' } },
              invoke: {
                src: 'catchUp',
                onDone: { target: 'resting', actions: ['read', 'tellCaughtUp'] },
                onError: { target: 'resting', actions: { type: 'tellReadFailed', params: ({ event }) => ({ error: event.error }) } },
              },
            },
          },
        },
        connecting: {
          initial: 'reading',
          states: {
            resting: { after: { alone: 'reading' }, on: { online: 'reading' } },
            reading: {
              after: { silence: { actions: 'tellReadSilent' } },
              invoke: {
                src: 'catchUp',
                onDone: { target: 'resting', actions: ['read', 'tellCaughtUp'] },
                onError: { target: 'resting', actions: { type: 'tellReadFailed', params: ({ event }) => ({ error: event.error }) } },
              },
            },
          },
        },
        catchingUp: {
          initial: 'reading',
          on: { 'log.noticed': { actions: assign({ again: true }) } },
          states: {
            gathering: { after: { gather: 'reading' } },
            reading: {
              entry: assign({ again: false }),
              after: { silence: { actions: 'tellReadSilent' } },
              invoke: {
                src: 'catchUp',
                onDone: [
                  { guard: 'again', target: 'reading', reenter: true, actions: 'read' },
                  { target: '#sync.link.live', actions: ['read', 'tellCaughtUp'] },
                ],
                onError: {
                  target: 'pausing',
                  actions: ['unread', { type: 'tellReadFailed', params: ({ event }) => ({ error: event.error }) }],
                },
              },
            },
            pausing: { after: { reread: 'reading' }, on: { online: 'reading' } },
          },
        },
        live: {
          // A notice can be lost as well, so the log is read now and then without one.
          after: { poll: 'catchingUp.reading' },
          on: {
            'log.noticed': 'catchingUp.gathering',
            // The channel's own socket may outlive the network, or seem to: reading tells which.
            offline: 'catchingUp.reading',
            online: 'catchingUp.reading',
          },
        },
      },
    },
    contact: {
      initial: 'brief',
      on: {
        answered: '.made',
        // That the log can be read says nothing for what could not be sent.
        'caught.up': { guard: 'sendable', target: '.made' },
      },
      states: {
        made: {
          on: {
            'link.lost': { target: 'brief', actions: 'silent' },
            'link.connecting': { target: 'brief', actions: 'silent' },
            offline: 'brief',
            failed: 'brief',
          },
        },
        brief: { after: { grace: 'missing' } },
        missing: {},
      },
    },
    outbox: {
      initial: 'empty',
      states: {
        empty: { on: { edited: 'waiting' } },
        waiting: {
          initial: 'gathering',
          on: { flush: 'sending' },
          states: {
            gathering: { after: { flush: '#sync.outbox.sending' } },
            held: {
              after: { held: '#sync.outbox.sending' },
              on: { 'caught.up': '#sync.outbox.sending', edited: 'gathering' },
            },
          },
        },
        sending: {
          after: { silence: { actions: ['unsent', 'tellSendSilent'] } },
          invoke: {
            src: 'send',
            onDone: [
              { guard: ({ event }) => event.output.kind === 'empty', target: 'empty', actions: ['sent', 'tellAnswered'] },
              { guard: ({ event }) => event.output.kind === 'more', target: 'waiting', actions: ['sent', 'tellAnswered'] },
              { guard: ({ event }) => event.output.kind === 'blocked', target: 'waiting.held', actions: 'sent' },
              {
                guard: ({ event }) => event.output.kind === 'signed-out',
                target: 'refused',
                actions: [assign({ refusal: null }), raise({ type: 'session.ended' })],
              },
              {
                target: 'refused',
                actions: [
                  assign({
                    failures: 0,
                    refusal: ({ event }) => (event.output.kind === 'refused' ? event.output.refusal : null),
                  }),
                  'tellAnswered',
                ],
              },
            ],
            onError: {
              target: 'retrying',
              actions: ['unsent', { type: 'tellSendFailed', params: ({ event }) => ({ error: event.error }) }],
            },
          },
        },
        retrying: {
          after: { resend: 'sending' },
          on: { 'caught.up': 'sending', flush: 'sending', retry: 'sending', online: 'sending' },
        },
        refused: {
          on: {
            retry: 'sending',
            'session.restored': 'sending',
            // Whoever can read the log again without having been refused anything has signed in again.
            'caught.up': { guard: 'signedOut', target: 'sending' },
            'access.changed': { guard: ({ event }) => event.access === 'write', target: 'sending' },
          },
        },
      },
    },
    session: {
      initial: 'present',
      states: {
        present: { on: { 'session.ended': 'ended' } },
        ended: { on: { 'session.restored': 'present', 'caught.up': 'present' } },
      },
    },
    access: {
      initial: 'asked',
      on: {
        'access.changed': [
          { guard: ({ event }) => event.access === 'write', target: '.write', actions: assign({ admitted: true }) },
          { guard: ({ event }) => event.access === 'read', target: '.read', actions: assign({ admitted: true }) },
          { target: '.none', actions: assign({ admitted: false }) },
        ],
      },
      states: { asked: {}, write: {}, read: {}, none: {} },
    },
    storage: {
      initial: 'device',
      states: {
        device: { on: { 'storage.failed': 'memory' } },
        memory: { on: { 'storage.restored': 'device' } },
      },
    },
  },
})

function troubleOf(error: unknown): Trouble {
  return error instanceof StoreFault && error.status === 0 ? 'silence' : 'fault'
}

/** 0.5 s, 1 s, 2 s … 15 s. */
function backoff(failures: number): number {
  return Math.min(15_000, 250 * 2 ** Math.min(failures, 6))
}
