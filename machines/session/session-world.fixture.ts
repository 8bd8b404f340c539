import { createActor, SimulatedClock, waitFor } from "xstate";
import type { Session } from "@/events/auth/auth";
import { sessionMachine } from "./session";
import { FakeAuth, MemoryLog, memoryQueue, person, when } from "./session-doubles";

export const ana = person("Ana");
export const ben = person("Ben");

/**
 * Starts a session with its doubles, and a clock that only tests advance. `settled` waits until
 * every auth event is recorded.
 */
export function world({ log = new MemoryLog(), queue = memoryQueue() } = {}) {
  const auth = new FakeAuth();
  const clock = new SimulatedClock();
  const actor = createActor(
    sessionMachine({ auth, store: log, queue, now: () => when, random: { unit: () => 1 } }),
    {
      clock,
    },
  );
  actor.start();
  const record = actor.getSnapshot().children.log;
  if (!record) throw new Error("The session has no auth log");
  const settled = () =>
    waitFor(record, (state) => state.matches("settled") && queue.waiting(ana.userId).length === 0);
  return { actor, auth, clock, log, queue, record, settled };
}

/** Returns the types of the events in a person's account stream. */
export const types = (log: MemoryLog, who: Session) =>
  log.stream(who.userId).map((event) => event.type);
