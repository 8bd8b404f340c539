import { waitFor } from "xstate";
import { describe, expect, test } from "vitest";
import { when } from "./session-doubles";
import { ana, ben, world } from "./session-world.fixture";

describe("[ACC-5] a session that ends under an open page", () => {
  test("is remembered, and the same person resumes it in place", async () => {
    const { actor, auth, settled } = world();
    auth.notice({ name: "found", session: ana });
    await settled();
    auth.notice({ name: "signed-out" });
    expect(actor.getSnapshot().matches({ away: "ended" })).toBe(true);
    expect(actor.getSnapshot().context.ended?.email).toBe("ana@example.com");
    auth.onSignIn = () =>
      auth.notice({ name: "signed-in", session: { ...ana, sessionId: "second" } });
    actor.send({
      type: "attempt",
      attempt: { kind: "password", email: ana.email, password: "palimpsest" },
    });
    await waitFor(actor, (snapshot) => snapshot.matches("present"));
    expect(actor.getSnapshot().context).toMatchObject({ ended: null, replaced: null });
  });

  test("records the replaced person when another signs in", async () => {
    const { actor, auth, settled } = world();
    auth.notice({ name: "found", session: ana });
    await settled();
    auth.notice({ name: "signed-out" });
    auth.notice({ name: "signed-in", session: ben });
    expect(actor.getSnapshot().context.replaced?.userId).toBe(ana.userId);
  });

  test("forgets the replaced person once they are back", async () => {
    const { actor, auth, settled } = world();
    auth.notice({ name: "found", session: ana });
    await settled();
    auth.notice({ name: "found", session: ben });
    expect(actor.getSnapshot().context.replaced?.userId).toBe(ana.userId);
    auth.notice({ name: "token-refreshed", session: { ...ben, issuedAt: ben.issuedAt + 600 } });
    expect(actor.getSnapshot().context.replaced?.userId).toBe(ana.userId);
    auth.notice({ name: "signed-in", session: { ...ana, sessionId: "second" } });
    expect(actor.getSnapshot().context).toMatchObject({ replaced: null });
  });

  test("stays ended when the password is wrong", async () => {
    const { actor, auth, settled } = world();
    auth.notice({ name: "found", session: ana });
    await settled();
    auth.notice({ name: "signed-out" });
    auth.answer = { ok: false, refusal: { name: "wrong-credentials" } };
    actor.send({
      type: "attempt",
      attempt: { kind: "password", email: ana.email, password: "wrong" },
    });
    const snapshot = await waitFor(actor, (state) => !state.matches({ away: "signingIn" }));
    expect(snapshot.matches({ away: "ended" })).toBe(true);
    expect(snapshot.context.refusal?.name).toBe("wrong-credentials");
  });
});

describe("[ACC-6] the token", () => {
  test("is refreshed before it expires, and at once when rejected", async () => {
    const { actor, auth, clock, settled } = world();
    auth.notice({ name: "found", session: ana });
    await settled();
    clock.increment(ana.expiresAt * 1_000 - when - 90_000);
    expect(actor.getSnapshot().matches({ present: { signedIn: "refreshing" } })).toBe(true);
    auth.notice({
      name: "token-refreshed",
      session: { ...ana, issuedAt: ana.issuedAt + 600, expiresAt: ana.expiresAt + 600 },
    });
    expect(actor.getSnapshot().matches({ present: { signedIn: "fresh" } })).toBe(true);
    actor.send({ type: "rejected" });
    expect(auth.refreshes).toBe(1);
  });

  test("[ACC-5] ends the session under the open page when it cannot be refreshed", async () => {
    const { actor, auth, settled } = world();
    auth.notice({ name: "found", session: ana });
    await settled();
    auth.refresh = async () => ({ ok: false, refusal: { name: "session-missing" } });
    actor.send({ type: "rejected" });
    await settled();
    expect(actor.getSnapshot().matches({ away: "ended" })).toBe(true);
    expect(actor.getSnapshot().context.ended?.userId).toBe(ana.userId);
  });

  test("a new password ends the recovery", async () => {
    const { actor, auth } = world();
    auth.notice({ name: "password-recovery", session: ana });
    expect(actor.getSnapshot().matches({ present: "passwordRecovery" })).toBe(true);
    auth.notice({ name: "user-updated", session: ana, fields: ["password"] });
    expect(actor.getSnapshot().matches({ present: "signedIn" })).toBe(true);
  });
});
