import { getShortestPaths } from "xstate/graph";
import { transition } from "xstate";
import type { SnapshotFrom } from "xstate";
import { describe, expect, test } from "vitest";
import type { AuthChange, Session } from "@/events/auth/auth";
import { sessionMachine } from "./session";
import { FakeAuth, MemoryLog, memoryQueue, when } from "./session-doubles";
import type { SessionEvent } from "./session-events";
import { ana, ben } from "./session-world.fixture";

type Snapshot = SnapshotFrom<ReturnType<typeof sessionMachine>>;

describe("the graph of the session", () => {
  const machine = sessionMachine({
    auth: new FakeAuth(),
    store: new MemoryLog(),
    queue: memoryQueue(),
    now: () => when,
    random: { unit: () => 1 },
  });
  const notice = (change: AuthChange): SessionEvent => ({ type: "noticed", change });
  const events: SessionEvent[] = [
    notice({ name: "found", session: null }),
    notice({ name: "found", session: ana }),
    notice({ name: "signed-in", session: ana }),
    notice({ name: "signed-in", session: ben }),
    notice({ name: "token-refreshed", session: { ...ana, issuedAt: ana.issuedAt + 600 } }),
    notice({ name: "password-recovery", session: ana }),
    notice({ name: "user-updated", session: ana, fields: ["password"] }),
    notice({ name: "signed-out" }),
    { type: "attempt", attempt: { kind: "password", email: ana.email, password: "palimpsest" } },
    { type: "sign.out", scope: "local" },
    { type: "forgotten" },
    { type: "rejected" },
  ];
  const who = (session: Session | null) => (session ? `${session.email}@${session.issuedAt}` : "-");
  const paths = getShortestPaths(machine, {
    events,
    serializeState: (snapshot) => {
      const { session, ended, replaced } = snapshot.context;
      return `${JSON.stringify(snapshot.value)} ${who(session)} ${who(ended)} ${who(replaced)}`;
    },
  });
  const states = paths.map((path) => path.state);

  test("reaches every expected state", () => {
    const reached = new Set(states.map((state) => JSON.stringify(state.value)));
    for (const value of [
      { away: "restoring" },
      { away: "signedOut" },
      { away: "signingIn" },
      { away: "ended" },
      { present: { signedIn: "fresh" } },
      { present: { signedIn: { refreshing: "asking" } } },
      { present: "passwordRecovery" },
      { present: { signingOut: "saying" } },
      { present: { signingOut: "forgetting" } },
      { away: "left" },
    ]) {
      expect(reached).toContain(JSON.stringify(value));
    }
    expect(states.length).toBeGreaterThan(20);
  });

  test.each(
    paths.map(
      (path) =>
        [path.steps.map((step) => describeEvent(step.event)).join(" → "), path.state] as const,
    ),
  )("[ACC-1] is consistent after %s", (_, state: Snapshot) => {
    const { session, ended, replaced } = state.context;
    if (state.matches("present")) expect(session).not.toBeNull();
    if (state.matches("away") && !state.matches({ away: "signingIn" })) expect(session).toBeNull();
    if (state.matches({ away: "ended" })) expect(ended).not.toBeNull();
    if (session && replaced) expect(replaced.userId).not.toBe(session.userId);
    expect(session === null || ended === null).toBe(true);
  });

  test("[ACC-1] signs the person in from every state but signing out", () => {
    for (const state of states) {
      if (state.matches({ present: "signingOut" })) continue;
      const [next] = transition(machine, state, notice({ name: "signed-in", session: ana }));
      expect(next.context.session?.userId).toBe(ana.userId);
      expect(next.matches("present")).toBe(true);
    }
  });
});

function describeEvent(event: { type: string; change?: AuthChange }): string {
  return event.change ? event.change.name : event.type;
}
