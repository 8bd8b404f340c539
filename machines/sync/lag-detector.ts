import type { Clock } from "@/events/core/clock";

const tick = 1_000;
/** How late a tick must be to mean more than a busy moment, in ms. */
const late = 2_000;

/**
 * Calls `noticed` after this page stood still: it was suspended, its machine slept, or a task
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
    // A machine that sleeps may stop one of the two clocks.
    const { now, elapsed } = { now: this.clock.now(), elapsed: this.clock.elapsed() };
    this.cancel = this.clock.after(tick, () => {
      const gone = Math.max(this.clock.now() - now, this.clock.elapsed() - elapsed);
      this.wait();
      if (gone > tick + late) this.noticed();
    });
  }
}
