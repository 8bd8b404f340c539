import type { Clock } from "../realtime/clock";

export class BodyTooSlow extends Error {}

/** The minimum rate of a body: 1 kB per second over ten seconds of waiting. */
const slowest = { bytes: 10_000, milliseconds: 10_000 };

/** Measures how fast a body arrives, counting only the time that its reader waits. */
export class Pace {
  private readonly clock: Clock;
  private readonly tooSlow: () => void;
  private bytes = 0;
  private left = slowest.milliseconds;
  private since = 0;
  private cancel: (() => void) | null = null;

  constructor(clock: Clock, tooSlow: () => void) {
    this.clock = clock;
    this.tooSlow = tooSlow;
  }

  /** Starts the timer, because the reader waits from now on. */
  wait(): void {
    this.since = this.clock.now();
    this.cancel = this.clock.after(this.left, () => this.judge());
  }

  /** Pauses the timer, because the reader stops waiting. */
  pause(): void {
    this.cancel?.();
    this.left = Math.max(0, this.left - (this.clock.now() - this.since));
  }

  took(bytes: number): void {
    this.bytes += bytes;
  }

  private judge(): void {
    if (this.bytes < slowest.bytes) return this.tooSlow();
    this.bytes = 0;
    this.left = slowest.milliseconds;
    this.wait();
  }
}
