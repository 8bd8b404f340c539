import type { Clock } from "@/events/core/clock";

/** The longest time that a slice may block the thread, in ms, and its maximum pieces of work. */
const longest = 8;
const mostPieces = 512;

/** Splits long work into slices so that input and painting can run in between. */
export class TimeSlices {
  private readonly clock: Clock;
  private begun: number;
  private pieces = 0;

  constructor(clock: Clock) {
    this.clock = clock;
    this.begun = clock.elapsed();
  }

  /** Counts `pieces` of finished work. Returns whether this slice is over. */
  isDue(pieces = 1): boolean {
    this.pieces += pieces;
    return this.pieces >= mostPieces || this.clock.elapsed() - this.begun >= longest;
  }

  /**
   * Counts `pieces` of finished work. Once the slice is over, yields to other tasks and returns
   * true. Before that, returns false without yielding.
   */
  async yieldIfDue(pieces = 1): Promise<boolean> {
    if (!this.isDue(pieces)) return false;
    await new Promise<void>((resolve) => this.clock.after(0, resolve));
    this.begun = this.clock.elapsed();
    this.pieces = 0;
    return true;
  }
}
