import "@/events/device/indexed-db.fixture";
import { afterEach, expect, test, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import { systemClock } from "@/events/core/clock";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import { indexedDbProposals } from "@/events/device/proposal-box";
import { sessionMachine } from "@/machines/session/session";
import { FakeAuth, MemoryLog, memoryQueue, person, when } from "@/machines/session/session-doubles";
import { leaveForGood, signOut } from "./tab";

afterEach(() => vi.unstubAllGlobals());

const startedSession = (auth: FakeAuth) =>
  createActor(
    sessionMachine({
      auth,
      store: new MemoryLog(),
      queue: memoryQueue(),
      now: () => when,
      random: { unit: () => 1 },
    }),
  ).start();

test("[ACC-2] signing out before the page has found its session ends that session", async () => {
  const assign = vi.fn();
  vi.stubGlobal("location", { assign });
  const auth = new FakeAuth();
  const ended = vi.fn();
  auth.onSignOut = ended;
  const session = startedSession(auth);

  const leaving = signOut({ session }, "local");
  auth.notice({ name: "found", session: person("Ana") });

  expect(await leaving).toBeNull();
  expect(ended).toHaveBeenCalledOnce();
  expect(assign).toHaveBeenCalledWith("/sign-in");
});

test("[ACC-47] deleting an account removes its proposals from the device, and keeps those of other accounts", async () => {
  vi.stubGlobal("location", { assign: vi.fn() });
  const auth = new FakeAuth();
  const session = startedSession(auth);
  const ana = person("Ana");
  auth.notice({ name: "found", session: ana });
  await waitFor(session, (snapshot) => snapshot.matches("present"));
  const locks = { hold: async () => () => undefined };
  const device = indexedDbProposals({ tab: "1", locks, clock: systemClock });
  const subject = { kind: "document", id: "d" };
  for (const userId of [ana.userId, "ben"]) {
    const event: OptimisticEvent = {
      id: userId,
      type: "document.renamed",
      body: { title: "Pier" },
      subject,
      actorId: userId,
      time: "",
    };
    await device.open({ userId, workspaceId: "w" }).put([{ stream: subject, event }]);
  }
  expect([await device.count(ana.userId), await device.count("ben")]).toEqual([1, 1]);

  await leaveForGood({ session });

  expect([await device.count(ana.userId), await device.count("ben")]).toEqual([0, 1]);
});
