import { assign, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import type { AuthAnswer, AuthMoment, AuthPort, AuthRefusal, EmailedLink, Session } from '../../events/auth'
import { state } from '../../events/statement'
import type { StatementShelf } from '../../events/device/statement-shelf'
import type { Store } from '../../events/store'
import { authLogMachine, deliver } from './auth-log'

/** A way to sign in that a person tries. */
export type Attempt =
  | { kind: 'password'; email: string; password: string }
  | { kind: 'sign-up'; name: string; email: string; password: string }
  | { kind: 'code'; email: string; code: string }
  | { kind: 'link'; link: EmailedLink }

type Scope = 'local' | 'global'

export type SessionEvent =
  | { type: 'noticed'; moment: AuthMoment }
  | { type: 'attempt'; attempt: Attempt }
  | { type: 'signOut'; scope: Scope }
  /** The server did not accept the token that this tab holds. */
  | { type: 'rejected' }

export type SessionContext = {
  session: Session | null
  /** Whose session ended while their page was open. */
  ended: Session | null
  /** Who was here before the present person signed in without a sign-out in between. */
  replaced: Session | null
  refusal: AuthRefusal | null
  /** The last attempt was taken, and its address has to be confirmed by mail. */
  confirm: boolean
  scope: Scope
}

/** What the session needs from outside; `now` gives milliseconds since the epoch. */
export type SessionParts = {
  auth: AuthPort
  store: Pick<Store, 'append' | 'read'>
  shelf: StatementShelf
  now: () => number
}

/** How long to wait for others: for the log when signing out (the statement stays on the shelf), for the client to refresh. */
const patience = 3_000
/** How long before its end a token is due for another. */
const margin = 90_000

/** The life of a person's session in one tab; every moment of it is stated, once, to the person's account stream. */
export function sessionMachine({ auth, store, shelf, now }: SessionParts) {
  const put = (moment: Exclude<AuthMoment['name'], 'found'>, session: Session, fields?: string[]) =>
    shelf.put(state(moment, session, new Date(now()).toISOString(), fields))

  return setup({
    types: { context: {} as SessionContext, events: {} as SessionEvent },
    actors: {
      log: authLogMachine({ store, shelf }),
      watch: fromCallback<SessionEvent>(({ sendBack }) => auth.watch((moment) => sendBack({ type: 'noticed', moment }))),
      attempt: fromPromise(({ input }: { input: Attempt }) => attempted(auth, input)),
      refresh: fromPromise(() => auth.refresh()),
      say: fromPromise(({ input }: { input: Session }) => deliver({ store, shelf }, input)),
      signOut: fromPromise(({ input }: { input: Scope }) => auth.signOut(input)),
    },
    guards: {
      foundNobody: ({ event }) => is(event, 'found') && sessionIn(event) === null,
      arrived: ({ event }) => (is(event, 'found') && sessionIn(event) !== null) || is(event, 'signed-in'),
      recovering: ({ event }) => is(event, 'password-recovery'),
      updated: ({ event }) => is(event, 'user-updated'),
      refreshed: ({ event }) => is(event, 'token-refreshed'),
      leftElsewhere: ({ event }) => is(event, 'signed-out'),
      passwordSet: ({ event }) =>
        event.type === 'noticed' && event.moment.name === 'user-updated' && event.moment.fields.includes('password'),
      isHere: ({ context }) => context.session !== null,
      hadEnded: ({ context }) => context.ended !== null,
      lost: ({ event }) => 'output' in event && refusalOf(event.output)?.name === 'session-missing',
      stillIn: ({ context, event }) =>
        context.scope === 'global' && 'output' in event && refusalOf(event.output)?.name === 'unreachable',
    },
    actions: {
      stateArrival: ({ event }) => {
        const session = sessionIn(event)
        if (!session || shelf.knows(session.sessionId)) return
        put('signed-in', session)
        shelf.know(session.sessionId)
      },
      stateMoment: ({ context, event }) => {
        if (event.type !== 'noticed') return
        const { moment } = event
        if (moment.name === 'password-recovery') put(moment.name, moment.session)
        if (moment.name === 'token-refreshed' && moment.session.issuedAt !== context.session?.issuedAt) put(moment.name, moment.session)
        if (moment.name === 'user-updated' && moment.fields.length > 0) put(moment.name, moment.session, moment.fields)
      },
      stateDeparture: ({ context }) => {
        if (context.session) put('signed-out', context.session)
      },
      takeBackDeparture: ({ context }) => {
        if (context.session) shelf.take(state('signed-out', context.session, '').id)
      },
      welcome: assign(({ context, event }) => {
        const session = sessionIn(event) ?? context.session
        const before = context.session ?? context.ended
        const other = before && session && before.userId !== session.userId
        return { session, ended: null, replaced: other ? before : context.replaced, refusal: null, confirm: false }
      }),
      end: assign(({ context }) => ({ session: null, ended: context.session, replaced: null })),
      leave: assign({ session: null, ended: null, replaced: null, refusal: null }),
      refuse: assign({
        refusal: ({ event }) => ('output' in event ? refusalOf(event.output) : { name: 'unreachable' as const }),
        confirm: ({ event }) => 'output' in event && confirmOf(event.output),
      }),
      speak: sendTo('log', ({ context }) => (context.session ? { type: 'arrive', session: context.session } : { type: 'depart' })),
      flush: sendTo('log', { type: 'state' }),
      hush: sendTo('log', { type: 'depart' }),
    },
    delays: {
      due: ({ context }) => Math.max(0, (context.session?.expiresAt ?? 0) * 1_000 - now() - margin),
      patience,
      pause: 30_000,
    },
  }).createMachine({
    id: 'session',
    context: { session: null, ended: null, replaced: null, refusal: null, confirm: false, scope: 'local' },
    invoke: [
      { id: 'log', src: 'log' },
      { id: 'watch', src: 'watch' },
    ],
    initial: 'away',
    states: {
      away: {
        initial: 'restoring',
        on: {
          attempt: '.signingIn',
          noticed: [
            {
              guard: 'recovering',
              target: 'present.passwordRecovery',
              actions: ['stateArrival', 'stateMoment', 'welcome', 'speak'],
            },
            { guard: 'arrived', target: 'present', actions: ['stateArrival', 'welcome', 'speak'] },
          ],
        },
        states: {
          restoring: { on: { noticed: { guard: 'foundNobody', target: 'signedOut' } } },
          signedOut: {},
          signingIn: {
            entry: assign({ refusal: null, confirm: false }),
            invoke: {
              src: 'attempt',
              input: ({ event }) => attemptIn(event),
              onDone: [
                { guard: 'isHere', target: '#session.present', actions: 'refuse' },
                { guard: 'hadEnded', target: 'ended', actions: 'refuse' },
                { target: 'signedOut', actions: 'refuse' },
              ],
              onError: [
                { guard: 'isHere', target: '#session.present', actions: 'refuse' },
                { guard: 'hadEnded', target: 'ended', actions: 'refuse' },
                { target: 'signedOut', actions: 'refuse' },
              ],
            },
          },
          /** The session ended under an open page, which keeps what was typed. */
          ended: {},
          /** The person signed out here; the page is on its way out. */
          left: {},
        },
      },

      present: {
        initial: 'signedIn',
        on: {
          attempt: 'away.signingIn',
          signOut: { target: '.signingOut', actions: assign({ scope: ({ event }) => event.scope, refusal: null }) },
          noticed: [
            { guard: 'leftElsewhere', target: 'away.ended', actions: ['stateDeparture', 'end', 'hush'] },
            { guard: 'recovering', target: '.passwordRecovery', actions: ['stateArrival', 'stateMoment', 'welcome', 'speak'] },
            { guard: 'updated', actions: ['stateMoment', 'welcome', 'flush'] },
            { guard: 'refreshed', target: '.signedIn.fresh', actions: ['stateMoment', 'welcome', 'flush'] },
            { guard: 'arrived', actions: ['stateArrival', 'welcome', 'speak'] },
          ],
        },
        states: {
          signedIn: {
            initial: 'fresh',
            on: { rejected: '.refreshing.asking' },
            states: {
              fresh: { after: { due: 'refreshing' } },
              // The client asks for a new token by itself, unless it sleeps; its arrival is a moment like any other.
              refreshing: {
                initial: 'waiting',
                states: {
                  waiting: { after: { patience: 'asking' } },
                  asking: {
                    invoke: {
                      src: 'refresh',
                      onDone: [
                        // Nothing is left to renew, and the client says nothing when somebody cleared it away.
                        { guard: 'lost', target: '#session.away.ended', actions: ['stateDeparture', 'end', 'hush'] },
                        { target: 'asked' },
                      ],
                      onError: 'asked',
                    },
                  },
                  asked: { after: { pause: 'asking' } },
                },
              },
            },
          },
          passwordRecovery: {
            on: {
              noticed: [
                { guard: 'passwordSet', target: 'signedIn', actions: ['stateMoment', 'welcome', 'flush'] },
                { guard: 'refreshed', actions: ['stateMoment', 'welcome', 'flush'] },
              ],
            },
          },
          signingOut: {
            entry: 'stateDeparture',
            initial: 'saying',
            // The client says "signed out" before it has answered, to this tab as to the others.
            on: { noticed: { guard: 'leftElsewhere' }, signOut: {}, attempt: {} },
            states: {
              saying: {
                invoke: { src: 'say', input: ({ context }) => present(context.session), onDone: 'leaving', onError: 'leaving' },
                after: { patience: 'leaving' },
              },
              leaving: {
                invoke: {
                  src: 'signOut',
                  input: ({ context }) => context.scope,
                  onDone: [
                    { guard: 'stillIn', target: '#session.present.signedIn', actions: ['takeBackDeparture', 'refuse'] },
                    { target: '#session.away.left', actions: ['leave', 'hush'] },
                  ],
                  onError: { target: '#session.present.signedIn', actions: ['takeBackDeparture', 'refuse'] },
                },
              },
            },
          },
        },
      },
    },
  })
}

function attempted(auth: AuthPort, attempt: Attempt): Promise<AuthAnswer> {
  if (attempt.kind === 'sign-up') return auth.signUp(attempt)
  if (attempt.kind === 'code') return auth.verifyCode(attempt)
  if (attempt.kind === 'link') return auth.followLink(attempt.link)
  return auth.signIn(attempt)
}

function is(event: SessionEvent, name: AuthMoment['name']): boolean {
  return event.type === 'noticed' && event.moment.name === name
}

function sessionIn(event: SessionEvent): Session | null {
  return event.type === 'noticed' && 'session' in event.moment ? event.moment.session : null
}

function attemptIn(event: SessionEvent): Attempt {
  if (event.type !== 'attempt') throw new Error(`Nobody tries to sign in by ${event.type}`)
  return event.attempt
}

function present(session: Session | null): Session {
  if (!session) throw new Error('Nobody is signed in, so nobody can sign out')
  return session
}

// XState's own events (done, error) are not part of a machine's event type; what they carry is read here.
function refusalOf(output: unknown): AuthRefusal | null {
  return isAnswer(output) && !output.ok ? output.refusal : null
}

function confirmOf(output: unknown): boolean {
  return isAnswer(output) && output.ok && output.confirm
}

function isAnswer(output: unknown): output is AuthAnswer {
  return typeof output === 'object' && output !== null && 'ok' in output
}
