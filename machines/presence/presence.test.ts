import { createActor, transition } from "xstate";
import { getAdjacencyMap } from "xstate/graph";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "@/events/core/virtual-clock.fixture";
import { machineClock } from "@/machines/clock/machine-clock";
import { presenceMachine, presenceState } from "./presence";
import type { PresenceEvent } from "./presence";

function started() {
  const clock = new VirtualClock();
  const actor = createActor(presenceMachine, { clock: machineClock(clock) }).start();
  return { clock, actor, state: () => presenceState(actor.getSnapshot()) };
}

describe("presence", () => {
  it("becomes idle a minute after the last key, and active with the next", async () => {
    const { clock, actor, state } = started();
    await clock.advance(50_000);
    actor.send({ type: "acted" });
    await clock.advance(50_000);
    expect(state()).toBe("active");
    await clock.advance(10_000);
    expect(state()).toBe("idle");
    actor.send({ type: "acted" });
    expect(state()).toBe("active");
  });

  it("is away while the page is hidden", async () => {
    const { clock, actor, state } = started();
    actor.send({ type: "page.hidden" });
    await clock.advance(120_000);
    expect(state()).toBe("away");
    actor.send({ type: "page.seen" });
    expect(state()).toBe("active");
  });

  const events: PresenceEvent[] = [
    { type: "acted" },
    { type: "page.hidden" },
    { type: "page.seen" },
    { type: "unfollow" },
    { type: "follow", userId: "ben" },
    { type: "follow", userId: "carol" },
    { type: "here", userIds: ["ben", "carol"] },
    { type: "here", userIds: ["carol"] },
  ];
  // The delay is XState's own event, which the machine's event type does not name.
  const walk = Object.values(
    getAdjacencyMap(presenceMachine, {
      events: [
        ...events,
        { type: "xstate.after.idle.presence.awake.active" } as unknown as PresenceEvent,
      ],
    }),
  ).map(({ state }) => state);
  const after = (state: (typeof walk)[number], event: PresenceEvent) =>
    transition(presenceMachine, state, event)[0];

  it("can become active or away from every state", () => {
    expect(new Set(walk.map((state) => state.value.awake))).toEqual(
      new Set(["active", "idle", "away"]),
    );
    for (const state of walk) {
      expect(after(state, { type: "page.hidden" }).value.awake).toBe("away");
      expect(after(state, { type: "page.seen" }).value.awake).toBe("active");
    }
  });

  it("[PRES-1] follows only while it has a person to follow, and can stop in every state", () => {
    expect(new Set(walk.map(({ context }) => context.whom))).toEqual(
      new Set([null, "ben", "carol"]),
    );
    for (const state of walk) {
      expect(state.value.view === "following").toBe(state.context.whom !== null);
      expect(after(state, { type: "unfollow" })).toMatchObject({
        value: { view: "own" },
        context: { whom: null },
      });
      const asked = after(state, { type: "follow", userId: "ben" });
      expect(asked.context.whom).toBe(state.context.whom === "ben" ? null : "ben");
    }
  });

  it("[PRES-1] stops when the followed person leaves, and goes on when another does", () => {
    for (const state of walk) {
      const { whom } = after(state, { type: "here", userIds: ["carol"] }).context;
      expect(whom).toBe(state.context.whom === "ben" ? null : state.context.whom);
    }
  });
});
