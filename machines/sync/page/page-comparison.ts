import { type Clock } from "@/events/core/clock";

/** How often at most the page is compared with the log, which takes as long as the text is. */
const comparisonEvery = 10_000;

/** Whether the page may show something that the log does not hold, so that the two are to be compared. */
export class PageComparison {
  private readonly clock: Pick<Clock, "elapsed">;
  private suspect = false;
  private rejected = 0;
  private next = 0;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.clock = clock;
  }

  /**
   * The log has brought something; what others had said of it may have been forged, and what its
   * readers reject may have been written here.
   */
  logged(unlogged: number, rejected: number): void {
    if (unlogged > 0 || rejected !== this.rejected) this.suspect = true;
    this.rejected = rejected;
  }

  /** Whether to compare them now; then not again for a while. */
  isDue(): boolean {
    const now = this.clock.elapsed();
    if (!this.suspect || now < this.next) return false;
    this.suspect = false;
    this.next = now + comparisonEvery;
    return true;
  }
}
