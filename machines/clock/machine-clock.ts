import { type createActor } from "xstate";
import { type Clock } from "@/events/core/clock";

type MachineClock = NonNullable<NonNullable<Parameters<typeof createActor>[1]>["clock"]>;

/** Our clock in the shape that XState asks for, so that a test drives its delays as well. */
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
