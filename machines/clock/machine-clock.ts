import type { createActor } from "xstate";
import type { Clock } from "@/events/core/clock";

type MachineClock = NonNullable<NonNullable<Parameters<typeof createActor>[1]>["clock"]>;

/** Adapts our `Clock` to the one that XState expects, so that tests control machines' delays. */
export function machineClock(clock: Clock): MachineClock {
  const cancels = new Map<number, () => void>();
  let last = 0;
  return {
    setTimeout(task, delay) {
      last += 1;
      const id = last;
      cancels.set(
        id,
        clock.after(delay, () => {
          cancels.delete(id);
          task();
        }),
      );
      return id;
    },
    clearTimeout(id: number) {
      cancels.get(id)?.();
      cancels.delete(id);
    },
  };
}
