import { afterEach, expect, test, vi } from "vitest";
import { createActor } from "xstate";
import { sessionMachine } from "@/machines/session/session";
import { FakeAuth, MemoryLog, memoryQueue, person, when } from "@/machines/session/session-doubles";
import { signOut } from "./tab";

afterEach(() => vi.unstubAllGlobals());

test("[ACC-2] whoever signs out before the page has found their session is signed out all the same", async () => {
  const assign = vi.fn();
  vi.stubGlobal("location", { assign });
  const auth = new FakeAuth();
  const ended = vi.fn();
  auth.onSignOut = ended;
  const session = createActor(
    sessionMachine({
      auth,
      store: new MemoryLog(),
      queue: memoryQueue(),
      now: () => when,
      random: { unit: () => 1 },
    }),
  );
  session.start();

  const leaving = signOut({ session }, "local");
  auth.notice({ name: "found", session: person("Ana") });

  expect(await leaving).toBeNull();
  expect(ended).toHaveBeenCalledOnce();
  expect(assign).toHaveBeenCalledWith("/sign-in");
});
