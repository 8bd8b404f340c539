import { waitFor } from "xstate";
import { describe, expect, test } from "vitest";
import type { AuthChange } from "@/events/auth/auth";
import { firstWorkspaceId } from "./first-workspace";
import { MemoryLog, memoryQueue } from "./session-doubles";
import { ana, ben, types, world } from "./session-world.fixture";

describe("[ACC-50] under another person's session", () => {
  test("account, workspace and auth events wait for their own person", async () => {
    const { auth, clock, log, queue, record, settled } = world();
    log.session = ben.userId;
    auth.notice({ name: "found", session: null });
    auth.notice({ name: "signed-in", session: ana });
    await waitFor(record, (state) => state.matches("waiting"));
    expect(log.all("workspace.created")).toEqual([]);
    expect(queue.waiting(ana.userId)).toHaveLength(1);
    expect(queue.refused(ana.userId)).toEqual([]);
    log.session = ana.userId;
    clock.increment(60_000);
    await settled();
    expect(types(log, ana)).toEqual([
      "account.created",
      "account.profile_changed",
      "auth.signed_in",
    ]);
  });
});

describe("[ACC-2] every auth change is recorded once", () => {
  test("[ACC-11] a first sign-in creates account and workspace, then is recorded", async () => {
    const { auth, log, settled } = world();
    auth.notice({ name: "found", session: null });
    auth.notice({ name: "signed-in", session: ana });
    await settled();
    expect(types(log, ana)).toEqual([
      "account.created",
      "account.profile_changed",
      "auth.signed_in",
    ]);
    expect(log.all("workspace.created").map((event) => event.body)).toEqual([
      { name: "Ana’s workspace" },
    ]);
  });

  test("[ACC-11] a first workspace whose id is taken gets another", async () => {
    const { auth, log, settled } = world();
    log.taken = firstWorkspaceId(ana.userId);
    auth.notice({ name: "found", session: null });
    auth.notice({ name: "signed-in", session: ana });
    await settled();
    expect(types(log, ana)).toEqual([
      "account.created",
      "account.profile_changed",
      "auth.signed_in",
    ]);
    expect(log.stream(log.taken)).toEqual([]);
    expect(log.all("workspace.created")).toHaveLength(1);
  });

  test("focusing the tab, which the client reports as a sign-in, records nothing", async () => {
    const { auth, log, settled } = world();
    auth.notice({ name: "found", session: ana });
    for (let i = 0; i < 5; i++) auth.notice({ name: "signed-in", session: ana });
    await settled();
    expect(types(log, ana).filter((type) => type === "auth.signed_in")).toHaveLength(1);
  });

  test("two tabs of one browser record each auth change once, in order", async () => {
    const shared = { log: new MemoryLog(), queue: memoryQueue() };
    const [one, two] = [world(shared), world(shared)];
    const refreshed = { ...ana, issuedAt: ana.issuedAt + 600 };
    for (const change of [
      { name: "found", session: null },
      { name: "signed-in", session: ana },
      { name: "token-refreshed", session: refreshed },
      { name: "password-recovery", session: refreshed },
    ] satisfies AuthChange[]) {
      one.auth.notice(change);
      two.auth.notice(change);
      if (change.session) await Promise.all([one.settled(), two.settled()]);
    }
    one.auth.notice({ name: "user-updated", session: refreshed, fields: ["password"] });
    two.auth.notice({ name: "user-updated", session: refreshed, fields: [] });
    await Promise.all([one.settled(), two.settled()]);
    expect(types(shared.log, ana)).toEqual([
      "account.created",
      "account.profile_changed",
      "auth.signed_in",
      "auth.token_refreshed",
      "auth.password_recovery",
      "auth.user_updated",
    ]);
    expect(shared.log.repeated).toBeGreaterThan(0);
  });

  test("two browsers without a common queue agree on the ids of one session", async () => {
    const log = new MemoryLog();
    const [one, two] = [world({ log }), world({ log })];
    for (const { auth } of [one, two]) auth.notice({ name: "found", session: ana });
    await Promise.all([one.settled(), two.settled()]);
    expect(types(log, ana)).toEqual([
      "account.created",
      "account.profile_changed",
      "auth.signed_in",
    ]);
  });

  test("another session of the same person is recorded as another sign-in", async () => {
    const { auth, log, settled } = world();
    auth.notice({ name: "found", session: ana });
    await settled();
    auth.notice({ name: "signed-in", session: { ...ana, sessionId: "second" } });
    await settled();
    expect(types(log, ana).filter((type) => type === "auth.signed_in")).toHaveLength(2);
  });
});

describe("[ACC-3] an auth event is never lost silently", () => {
  test("a failed event is retried with back-off until the log has it", async () => {
    const { auth, clock, log, record, settled } = world();
    log.faults = 3;
    auth.notice({ name: "found", session: ana });
    for (const wait of [1_000, 2_000, 4_000]) {
      await waitFor(record, (state) => state.matches("waiting"));
      clock.increment(wait - 1);
      expect(record.getSnapshot().matches("waiting")).toBe(true);
      clock.increment(1);
      await waitFor(record, (state) => !state.matches("delivering"));
    }
    await settled();
    expect(types(log, ana)).toContain("auth.signed_in");
  });

  test("the next tab records the events that a closed tab could not", async () => {
    const shared = { log: new MemoryLog(), queue: memoryQueue() };
    const closed = world(shared);
    shared.log.faults = Infinity;
    closed.auth.notice({ name: "found", session: ana });
    closed.actor.stop();
    shared.log.faults = 0;
    const next = world(shared);
    next.auth.notice({ name: "found", session: { ...ana, issuedAt: ana.issuedAt + 600 } });
    await next.settled();
    expect(types(shared.log, ana)).toEqual([
      "account.created",
      "account.profile_changed",
      "auth.signed_in",
    ]);
  });

  test("a refused event is kept to be shown, and proposed again on request", async () => {
    const { auth, log, record, queue, settled } = world();
    log.refuse = "auth.signed_in";
    auth.notice({ name: "found", session: ana });
    await settled();
    expect(record.getSnapshot().context.refused.map((refusal) => refusal.name)).toEqual([
      "invalid-event",
    ]);
    expect(queue.waiting(ana.userId)).toEqual([]);
    expect(queue.refused(ana.userId).map(({ authEvent }) => authEvent.type)).toEqual([
      "auth.signed_in",
    ]);
    log.refuse = null;
    queue.retry(ana.userId);
    record.send({ type: "deliver" });
    await settled();
    expect(queue.refused(ana.userId)).toEqual([]);
    expect(types(log, ana)).toEqual([
      "account.created",
      "account.profile_changed",
      "auth.signed_in",
    ]);
  });
});

describe("[ACC-4] signing out", () => {
  test("is recorded before the token is given up", async () => {
    const { actor, auth, log, settled } = world();
    auth.notice({ name: "found", session: ana });
    await settled();
    auth.onSignOut = () => {
      expect(types(log, ana)).toContain("auth.signed_out");
      auth.notice({ name: "signed-out" });
    };
    actor.send({ type: "sign.out", scope: "local" });
    await waitFor(actor, (snapshot) => snapshot.matches({ away: "left" }));
    expect(types(log, ana).filter((type) => type === "auth.signed_out")).toHaveLength(1);
    expect(actor.getSnapshot().context.ended).toBeNull();
  });

  test("does not wait for a silent log; the event is recorded at the next sign-in", async () => {
    const shared = { log: new MemoryLog(), queue: memoryQueue() };
    const { actor, auth, clock, settled } = world(shared);
    auth.notice({ name: "found", session: ana });
    await settled();
    shared.log.silent = true;
    actor.send({ type: "sign.out", scope: "local" });
    clock.increment(3_000);
    await waitFor(actor, (snapshot) => snapshot.matches({ away: "left" }));
    expect(types(shared.log, ana)).not.toContain("auth.signed_out");
    shared.log.silent = false;
    const next = world(shared);
    next.auth.notice({ name: "signed-in", session: { ...ana, sessionId: "second" } });
    await next.settled();
    expect(types(shared.log, ana).slice(-2)).toEqual(["auth.signed_out", "auth.signed_in"]);
  });

  test("everywhere, with the server out of reach, leaves the person signed in and says so", async () => {
    const { actor, auth, queue, settled } = world();
    auth.notice({ name: "found", session: ana });
    await settled();
    auth.answer = { ok: false, refusal: { name: "unreachable" } };
    actor.send({ type: "sign.out", scope: "global" });
    const snapshot = await waitFor(actor, (state) => !state.matches({ present: "signingOut" }));
    expect(snapshot.matches({ present: "signedIn" })).toBe(true);
    expect(snapshot.context.refusal).toEqual({ name: "unreachable" });
    expect(queue.waiting(ana.userId)).toEqual([]);
  });
});
