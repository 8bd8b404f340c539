import type { Clock } from "@/events/core/clock";

const tick = 1_000;
/** The delay of a tick, in ms, from which the page counts as suspended instead of busy. */
const late = 2_000;

/**
 * Calls `noticed` after this page was interrupted: it was suspended, its machine slept, or a task
 * blocked the thread.
 */
export class LagDetector {
  private readonly clock: Clock;
  private readonly noticed: () => void;
  private cancel = () => {};

  constructor(clock: Clock, noticed: () => void) {
    this.clock = clock;
    this.noticed = noticed;
    this.wait();
  }

  stop(): void {
    this.cancel();
  }

  private wait(): void {
    // One of the two clocks may stop while the machine sleeps.
    const { now, elapsed } = { now: this.clock.now(), elapsed: this.clock.elapsed() };
    this.cancel = this.clock.after(tick, () => {
      const gone = Math.max(this.clock.now() - now, this.clock.elapsed() - elapsed);
      this.wait();
      if (gone > tick + late) this.noticed();
    });
  }
}
