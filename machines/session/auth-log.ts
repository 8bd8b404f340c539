import { assign, fromPromise, setup } from "xstate";
import type { Session } from "@/events/auth/auth";
import { backoff } from "@/events/core/backoff";
import type { Random } from "@/events/core/clock";
import type { Refusal } from "@/events/log/refusal";
import { underOwnSession } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import type { AuthEventQueue } from "@/events/device/auth-event-queue";
import { openAccount } from "./first-workspace";

type Delivery = { store: Pick<Store, "append" | "read">; queue: AuthEventQueue };

/**
 * Appends a person's queued auth events to their account's stream, oldest first. Creates the
 * account and its first workspace if they do not exist. Returns the refusals, and the queue sets
 * refused events aside to be shown. Throws on network faults and if the session belongs to another
 * person. Unacknowledged events stay queued.
 */
export async function deliver({ store, queue }: Delivery, session: Session): Promise<Refusal[]> {
  const refused = await openAccount(store, session);
  let next = queue.waiting(session.userId)[0];
  while (next) {
    const { userId: _writer, sessionId: _sessionId, ...proposal } = next;
    const { id } = proposal;
    const { userId } = session;
    const answer = underOwnSession(await store.append(userId, null, [proposal], userId));
    if (answer.ok) queue.take(id);
    else {
      refused.push(answer.refusal);
      queue.refuse(id, answer.refusal);
    }
    next = queue.waiting(session.userId)[0];
  }
  return refused;
}

type Context = { session: Session | null; refused: Refusal[]; failures: number };
type Event = { type: "arrive"; session: Session } | { type: "deliver" } | { type: "depart" };

/**
 * Appends the account's auth events to the log: `away` while signed out, `delivering`, `waiting`
 * after a fault (back-off up to a minute), and `settled` once the queue is empty.
 */
export function authLogMachine(delivery: Delivery & { random: Pick<Random, "unit"> }) {
  return setup({
    types: { context: {} as Context, events: {} as Event },
    actors: {
      deliver: fromPromise(({ input }: { input: Session }) => deliver(delivery, input)),
    },
    guards: {
      more: ({ context }) => delivery.queue.waiting(context.session?.userId ?? "").length > 0,
    },
    actions: {
      recordRefused: assign({
        refused: ({ context, event }) => [...context.refused, ...refusalsOf(event)],
        failures: 0,
      }),
    },
    delays: {
      backoff: ({ context }) =>
        backoff(delivery.random, context.failures, { first: 1_000, longest: 60_000 }),
    },
  }).createMachine({
    id: "authLog",
    context: { session: null, refused: [], failures: 0 },
    initial: "away",
    on: {
      arrive: {
        target: ".delivering",
        reenter: true,
        actions: assign({ session: ({ event }) => event.session, failures: 0 }),
      },
      depart: { target: ".away", actions: assign({ session: null, failures: 0 }) },
    },
    states: {
      away: {},
      delivering: {
        invoke: {
          src: "deliver",
          input: ({ context }) => present(context.session),
          onDone: [
            // An event was queued after the queue was last checked.
            { guard: "more", target: "delivering", reenter: true, actions: "recordRefused" },
            { target: "settled", actions: "recordRefused" },
          ],
          onError: {
            target: "waiting",
            actions: assign({ failures: ({ context }) => context.failures + 1 }),
          },
        },
      },
      waiting: { on: { deliver: "delivering" }, after: { backoff: "delivering" } },
      settled: { on: { deliver: "delivering" } },
    },
  });
}

function refusalsOf(event: object): Refusal[] {
  return "output" in event && Array.isArray(event.output) ? event.output : [];
}

function present(session: Session | null): Session {
  if (!session) throw new Error("Cannot append auth events without a session");
  return session;
}
