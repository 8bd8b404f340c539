import type { Clock } from "@/events/core/clock";

/** The longest gap between two log reads in normal operation, with margin, in ms. */
const longest = 15_000;

/**
 * Counts the milliseconds during which this page could read the log. Time while the page was
 * suspended or reads failed does not count.
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

  /** Discards the time since the last read. Returns the time counted so far in ms. */
  restart(): number {
    this.last = this.clock.elapsed();
    return this.counted;
  }
}
