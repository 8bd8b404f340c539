import { assign, setup } from "xstate";
import type { SnapshotFrom } from "xstate";
import type { PresenceState } from "@/events/realtime/presence-list";

export type PresenceEvent =
  /** The person pressed a key, moved the pointer or touched the screen. */
  | { type: "acted" }
  | { type: "page.hidden" }
  | { type: "page.seen" }
  /** Follows this person's caret. The same event again stops following. */
  | { type: "follow"; userId: string }
  /** The person looks or writes elsewhere, or presses Escape. */
  | { type: "unfollow" }
  /** The ids of the people who are present now. */
  | { type: "here"; userIds: readonly string[] };

/** Tracks whether this tab's person is active, and which person the view follows (`whom`). */
export const presenceMachine = setup({
  types: { events: {} as PresenceEvent, context: {} as { whom: string | null } },
  delays: { idle: 60_000 },
  guards: {
    sameAgain: ({ context, event }) => event.type === "follow" && event.userId === context.whom,
    hasLeft: ({ context, event }) =>
      event.type === "here" && context.whom !== null && !event.userIds.includes(context.whom),
  },
  actions: {
    heed: assign({ whom: ({ event }) => (event.type === "follow" ? event.userId : null) }),
    forget: assign({ whom: null }),
  },
}).createMachine({
  id: "presence",
  type: "parallel",
  context: { whom: null },
  states: {
    awake: {
      initial: "active",
      on: { "page.hidden": ".away" },
      states: {
        active: { after: { idle: "idle" }, on: { acted: { target: "active", reenter: true } } },
        idle: { on: { acted: "active", "page.seen": "active" } },
        away: { on: { "page.seen": "active", "page.hidden": {} } },
      },
    },
    view: {
      initial: "own",
      states: {
        own: { on: { follow: { target: "following", actions: "heed" } } },
        following: {
          on: {
            follow: [
              { guard: "sameAgain", target: "own", actions: "forget" },
              { target: "following", actions: "heed" },
            ],
            unfollow: { target: "own", actions: "forget" },
            here: { guard: "hasLeft", target: "own", actions: "forget" },
          },
        },
      },
    },
  },
});

/** Returns the presence state that a tab publishes. */
export function presenceState(
  snapshot: Pick<SnapshotFrom<typeof presenceMachine>, "value">,
): PresenceState {
  return snapshot.value.awake;
}
