import type { Clock } from "@/events/core/clock";

/** Longest gap between two log reads while nothing is wrong, with margin, in ms. */
const longest = 15_000;

/**
 * Milliseconds during which this page could read the log. Time in which the page was suspended or
 * reads failed does not count.
 */
export class ContactTime {
  private readonly clock: Clock;
  private counted = 0;
  private last: number;

  constructor(clock: Clock) {
    this.clock = clock;
    this.last = clock.elapsed();
  }

  now(): number {
    return this.counted + Math.min(this.clock.elapsed() - this.last, longest);
  }

  /** Records a successful read of the log. */
  reached(): void {
    this.counted = this.now();
    this.last = this.clock.elapsed();
  }

  /** Discards the time since the last read; returns the time counted so far. */
  restart(): number {
    this.last = this.clock.elapsed();
    return this.counted;
  }
}
