import { assign, fromCallback, fromPromise, sendTo, setup } from "xstate";
import type { AuthAnswer, AuthChange, AuthPort, AuthRefusal, Session } from "@/events/auth/auth";
import { queuedAuthEvent } from "@/events/auth/queued-auth-event";
import { authLogMachine, deliver } from "./auth-log";
import type {
  Attempt,
  Scope,
  SessionContext,
  SessionEvent,
  SessionOptions,
} from "./session-events";

/**
 * How long a sign-out waits for the log, and a renewal for the client, in ms. The event stays
 * queued.
 */
const patience = 3_000;
/** How long before its expiry a token is renewed, in ms. */
const margin = 90_000;

/** The shared setup of the session machine: actors, guards, actions and delays. */
export function sessionSetup({ auth, store, queue, now, random }: SessionOptions) {
  const put = (change: Exclude<AuthChange["name"], "found">, session: Session, fields?: string[]) =>
    queue.put(queuedAuthEvent(change, session, new Date(now()).toISOString(), fields));

  return setup({
    types: { context: {} as SessionContext, events: {} as SessionEvent },
    actors: {
      log: authLogMachine({ store, queue, random }),
      watch: fromCallback<SessionEvent>(({ sendBack }) =>
        auth.watch((change) => sendBack({ type: "noticed", change })),
      ),
      attempt: fromPromise(({ input }: { input: Attempt }) => attempted(auth, input)),
      refresh: fromPromise(() => auth.refresh()),
      deliver: fromPromise(({ input }: { input: Session }) => deliver({ store, queue }, input)),
      signOut: fromPromise(({ input }: { input: Scope }) => auth.signOut(input)),
    },
    guards: {
      foundNobody: ({ event }) => is(event, "found") && sessionIn(event) === null,
      arrived: ({ event }) =>
        (is(event, "found") && sessionIn(event) !== null) || is(event, "signed-in"),
      recovering: ({ event }) => is(event, "password-recovery"),
      updated: ({ event }) => is(event, "user-updated"),
      refreshed: ({ event }) => is(event, "token-refreshed"),
      leftElsewhere: ({ event }) => is(event, "signed-out"),
      passwordSet: ({ event }) =>
        event.type === "noticed" &&
        event.change.name === "user-updated" &&
        event.change.fields.includes("password"),
      isHere: ({ context }) => context.session !== null,
      hadEnded: ({ context }) => context.ended !== null,
      sessionMissing: ({ event }) =>
        "output" in event && refusalOf(event.output)?.name === "session-missing",
      stillIn: ({ context, event }) =>
        context.scope === "global" &&
        "output" in event &&
        refusalOf(event.output)?.name === "unreachable",
    },
    actions: {
      enqueueArrival: ({ event }) => {
        const session = sessionIn(event);
        if (!session || queue.knows(session.sessionId)) return;
        put("signed-in", session);
        queue.know(session.sessionId);
      },
      enqueueChange: ({ context, event }) => {
        if (event.type !== "noticed") return;
        const { change } = event;
        if (change.name === "password-recovery") put(change.name, change.session);
        if (
          change.name === "token-refreshed" &&
          change.session.issuedAt !== context.session?.issuedAt
        )
          put(change.name, change.session);
        if (change.name === "user-updated" && change.fields.length > 0)
          put(change.name, change.session, change.fields);
      },
      enqueueDeparture: ({ context }) => {
        if (context.session) put("signed-out", context.session);
      },
      forget: ({ context }) => {
        const person = (context.session ?? context.ended)?.userId ?? "";
        queue.retry(person);
        for (const { id } of queue.waiting(person)) queue.take(id);
      },
      takeBackDeparture: ({ context }) => {
        if (context.session) queue.take(queuedAuthEvent("signed-out", context.session, "").id);
      },
      welcome: assign(({ context, event }) => {
        const session = sessionIn(event) ?? context.session;
        const first = context.replaced ?? context.session ?? context.ended;
        return {
          session,
          ended: null,
          replaced: first && session && first.userId !== session.userId ? first : null,
          refusal: null,
          confirm: false,
        };
      }),
      end: assign(({ context }) => ({ session: null, ended: context.session, replaced: null })),
      leave: assign({ session: null, ended: null, replaced: null, refusal: null }),
      refuse: assign({
        refusal: ({ event }) =>
          "output" in event ? refusalOf(event.output) : { name: "unreachable" as const },
        confirm: ({ event }) => "output" in event && confirmOf(event.output),
      }),
      speak: sendTo("log", ({ context }) =>
        context.session ? { type: "arrive", session: context.session } : { type: "depart" },
      ),
      flush: sendTo("log", { type: "deliver" }),
      hush: sendTo("log", { type: "depart" }),
    },
    delays: {
      due: ({ context }) => Math.max(0, (context.session?.expiresAt ?? 0) * 1_000 - now() - margin),
      patience,
      // Random, so that tabs that lost the service at the same time do not retry at the same time.
      pause: () => 30_000 * (0.5 + random.unit() / 2),
    },
  });
}

function attempted(auth: AuthPort, attempt: Attempt): Promise<AuthAnswer> {
  if (attempt.kind === "sign-up") return auth.signUp(attempt);
  if (attempt.kind === "code") return auth.verifyCode(attempt);
  if (attempt.kind === "link") return auth.followLink(attempt.link);
  return auth.signIn(attempt);
}

function is(event: SessionEvent, name: AuthChange["name"]): boolean {
  return event.type === "noticed" && event.change.name === name;
}

function sessionIn(event: SessionEvent): Session | null {
  return event.type === "noticed" && "session" in event.change ? event.change.session : null;
}

// XState's own events (done, error) are not in the machine's event type, so `output` is unknown.
function refusalOf(output: unknown): AuthRefusal | null {
  return isAnswer(output) && !output.ok ? output.refusal : null;
}

function confirmOf(output: unknown): boolean {
  return isAnswer(output) && output.ok && output.confirm;
}

function isAnswer(output: unknown): output is AuthAnswer {
  return typeof output === "object" && output !== null && "ok" in output;
}
