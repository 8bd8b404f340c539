import { type Clock } from "@/events/core/clock";

/** The longest that two readings of the log are apart while nothing is wrong, with room to spare. */
const longest = 15_000;

/**
 * Milliseconds for which this page has had the log before it: time in which it stood still or could
 * not read does not count.
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

  /** The log has been read. */
  reached(): void {
    this.counted = this.now();
    this.last = this.clock.elapsed();
  }

  /** What has gone by since the last reading does not count; answers what does. */
  restart(): number {
    this.last = this.clock.elapsed();
    return this.counted;
  }
}
