import { createActor } from "xstate";
import type { ActorRefFrom } from "xstate";
import { presenceMachine } from "@/machines/presence/presence";

const inputEvents = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;
/** The minimum time between two handled pointer moves, in ms. Browsers send hundreds per second. */
const heedEvery = 1_000;

export type PresenceActor = ActorRefFrom<typeof presenceMachine>;

/**
 * Reports the page's input events to the presence machine of this tab's person. Returns the machine
 * and the function that stops the listeners.
 */
export function watchPresence(): { actor: PresenceActor; stop: () => void } {
  const actor = createActor(presenceMachine);
  actor.start();
  let last = -Infinity;
  const act = (event: Event) => {
    if (event.timeStamp - last < heedEvery) return;
    last = event.timeStamp;
    actor.send({ type: "acted" });
  };
  const look = () => actor.send({ type: document.hidden ? "page.hidden" : "page.seen" });
  look();
  for (const sign of inputEvents) addEventListener(sign, act, { passive: true, capture: true });
  document.addEventListener("visibilitychange", look);
  return {
    actor,
    stop: () => {
      actor.stop();
      for (const sign of inputEvents) removeEventListener(sign, act, { capture: true });
      document.removeEventListener("visibilitychange", look);
    },
  };
}
