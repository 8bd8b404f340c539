import type { Clock } from "@/events/core/clock";

/** How long work may block the thread, in ms, and the maximum pieces of work per slice. */
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

  /** Counts `pieces` of finished work; returns whether this slice is over. */
  isDue(pieces = 1): boolean {
    this.pieces += pieces;
    return this.pieces >= mostPieces || this.clock.elapsed() - this.begun >= longest;
  }

  /**
   * Counts `pieces` of finished work. Returns true after yielding to other tasks, or false
   * immediately while the slice is not over.
   */
  async yieldIfDue(pieces = 1): Promise<boolean> {
    if (!this.isDue(pieces)) return false;
    await new Promise<void>((resolve) => this.clock.after(0, resolve));
    this.begun = this.clock.elapsed();
    this.pieces = 0;
    return true;
  }
}
