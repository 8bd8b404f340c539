import { type Clock } from "@/events/core/clock";

/** How long work may hold the thread, in milliseconds, and how many pieces of it may at most. */
const longest = 8;
const mostPieces = 512;

/** Divides long work so that keys and drawing come in between. */
export class TimeSlices {
  private readonly clock: Clock;
  private begun: number;
  private pieces = 0;

  constructor(clock: Clock) {
    this.clock = clock;
    this.begun = clock.elapsed();
  }

  /** To be called after so many pieces of work: whether this slice is over. */
  isDue(pieces = 1): boolean {
    this.pieces += pieces;
    return this.pieces >= mostPieces || this.clock.elapsed() - this.begun >= longest;
  }

  /**
   * To be called after so many pieces of work: true once others had their turn, and false at once
   * while nobody has to wait.
   */
  async yieldIfDue(pieces = 1): Promise<boolean> {
    if (!this.isDue(pieces)) return false;
    await new Promise<void>((resolve) => this.clock.after(0, resolve));
    this.begun = this.clock.elapsed();
    this.pieces = 0;
    return true;
  }
}
