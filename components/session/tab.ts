import { tolerate } from "@/events/core/error-report";
import { createActor, waitFor } from "xstate";
import type { ActorRefFrom, SnapshotFrom } from "xstate";
import type { AuthRefusal } from "@/events/auth/auth";
import { systemClock, systemRandom } from "@/events/core/clock";
import { withDeadline } from "@/events/device/deadline";
import { connectBackend } from "@/events/backend/backend";
import type { Backend } from "@/events/backend/backend";
import { StoreFault } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import { steadyStorage } from "@/events/device/steady-storage";
import { storageQueue } from "@/events/device/auth-event-queue";
import type { RefusedAuthEvent, AuthEventQueue } from "@/events/device/auth-event-queue";
import { sessionMachine } from "@/machines/session/session";
import type { Attempt } from "@/machines/session/session-events";
import { forgetPerson } from "./device-pages";
import { pagePerson } from "./person/page-person";

type SessionActor = ActorRefFrom<ReturnType<typeof sessionMachine>>;
export type SessionSnapshot = SnapshotFrom<ReturnType<typeof sessionMachine>>;

/**
 * A tab whose code has loaded: its backend, its session actor, and the queue of auth events for the
 * log.
 */
export type Tab = { backend: Backend; session: SessionActor; queue: AuthEventQueue };

/** Connects to the backend and starts the tab's session. */
export function openTab({ url, key }: { url: string; key: string }): Tab {
  const backend = connectBackend({ url, key, person: pagePerson });
  const queue = storageQueue(steadyStorage(() => localStorage));
  const machine = sessionMachine({
    auth: backend.auth,
    store: backend.store,
    queue,
    now: Date.now,
    random: systemRandom,
  });
  const session = createActor(machine);
  session.start();
  const store = on401(backend.store, () => session.send({ type: "rejected" }));
  return { backend: { ...backend, store }, session, queue };
}

/** Wraps a store to report a 401: the server no longer accepts this tab's token. */
function on401(store: Store, onRejected: () => void): Store {
  const heed = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (fault) {
      if (fault instanceof StoreFault && fault.status === 401 && !fault.foreign) onRejected();
      throw fault;
    }
  };
  return {
    ...store,
    append: (...call) => heed(store.append(...call)),
    read: (...call) => heed(store.read(...call)),
    feed: (...call) => heed(store.feed(...call)),
    topic: (...call) => heed(store.topic(...call)),
  };
}

export type AttemptResult = { ok: true; confirm: boolean } | { ok: false; refusal: AuthRefusal };

/**
 * Tries to sign in, then waits until the log has the account and first workspace. The wait also
 * ends at a failure or after a while.
 */
export async function attempt({ backend, session }: Tab, what: Attempt): Promise<AttemptResult> {
  const found = await restored({ session });
  if (what.kind === "link" && found.matches("present")) {
    // An existing session would end the attempt before the link is followed.
    const answer = await backend.auth.followLink(what.link);
    if (answer.ok) await prepared({ session });
    return answer;
  }
  session.send({ type: "attempt", attempt: what });
  const settled = await waitFor(session, (snapshot) => !snapshot.matches({ away: "signingIn" }));
  const { refusal, confirm } = settled.context;
  if (refusal) return { ok: false, refusal };
  if (!settled.matches("present")) return { ok: true, confirm };
  await prepared({ session });
  return { ok: true, confirm: false };
}

/** Waits until the session is restored. A command that is sent earlier is lost. */
export function restored({ session }: Pick<Tab, "session">): Promise<SessionSnapshot> {
  return waitFor(session, (snapshot) => !snapshot.matches({ away: "restoring" }), {
    timeout: 15_000,
  });
}

/**
 * Waits until the log has answered every auth event of this tab or cannot be reached, for at most
 * ten seconds.
 */
export async function prepared({ session }: Pick<Tab, "session">): Promise<void> {
  const { log } = session.getSnapshot().children;
  if (!log) return;
  await waitFor(log, (state) => state.matches("settled") || state.matches("waiting"), {
    timeout: 10_000,
  }).catch(() => undefined);
}

/**
 * Watches the delivery of this tab's auth events. The state is `stalled` while the log cannot be
 * reached and delivery is retried, and `settled` once the log has all events. Returns the
 * unsubscribe function.
 */
export function watchAuthLog(
  { session }: Pick<Tab, "session">,
  onState: (state: "stalled" | "settled") => void,
): () => void {
  const { log } = session.getSnapshot().children;
  if (!log) return () => {};
  let lastState = "";
  const report = () => {
    const now = log.getSnapshot();
    const state = now.matches("settled") ? "settled" : now.context.failures > 0 ? "stalled" : null;
    if (state && state !== lastState) onState((lastState = state));
  };
  const subscription = log.subscribe(report);
  report();
  return () => subscription.unsubscribe();
}

/** Proposes a person's refused auth events again. Returns the events that are refused again. */
export async function retryAuthEvents(tab: Tab, userId: string): Promise<RefusedAuthEvent[]> {
  tab.queue.retry(userId);
  tab.session.getSnapshot().children.log?.send({ type: "deliver" });
  await prepared(tab);
  return tab.queue.refused(userId);
}

/**
 * Signs out here or everywhere, and navigates to the sign-in page. Returns the refusal if the
 * person is still signed in.
 */
export async function signOut(
  { session }: Pick<Tab, "session">,
  scope: "local" | "global",
): Promise<AuthRefusal | null> {
  const found = await restored({ session }).catch(() => null);
  if (!found) return { name: "unreachable" };
  session.send({ type: "sign.out", scope });
  const settled = await waitFor(
    session,
    (snapshot) => !snapshot.matches({ present: "signingOut" }),
  );
  if (settled.matches("present")) return settled.context.refusal;
  await leaveFor("/sign-in");
  return null;
}

/**
 * Navigates to the sign-in page after the account was deleted. Deletes the account's proposals,
 * which can no longer be sent.
 */
export async function leaveForGood({ session }: Pick<Tab, "session">): Promise<void> {
  const userId = session.getSnapshot().context.session?.userId;
  if (userId !== undefined)
    await import("./sign-out/forget-proposals")
      .then(({ forgetProposals }) => forgetProposals(userId))
      .catch(tolerate("forgetting what was proposed"));
  session.send({ type: "forgotten" });
  await waitFor(session, (snapshot) => !snapshot.matches("present"));
  await leaveFor("/sign-in?deleted=1");
}

async function leaveFor(address: string): Promise<void> {
  // If the deletion fails now, the next sign-in of another person repeats it. A device that never
  // answers must not block the sign-out.
  await withDeadline(systemClock, forgetPerson()).catch(tolerate("forgetting a person"));
  // A full page load removes the person's data from memory.
  location.assign(address);
}
