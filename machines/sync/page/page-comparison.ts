import type { Clock } from "@/events/core/clock";

/** Minimum ms between two comparisons, whose cost grows with the length of the text. */
const comparisonEvery = 10_000;

/**
 * Decides when to compare the page with the log, because the page may show text that the log does
 * not hold.
 */
export class PageComparison {
  private readonly clock: Pick<Clock, "elapsed">;
  private suspect = false;
  private rejected = 0;
  private next = 0;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.clock = clock;
  }

  /**
   * Called when the log has brought rows. Unlogged updates may have been forged, and this tab may
   * have written edits that readers reject.
   */
  logged(unlogged: number, rejected: number): void {
    if (unlogged > 0 || rejected !== this.rejected) this.suspect = true;
    this.rejected = rejected;
  }

  /** Whether a comparison is due now. The next one is then not due for `comparisonEvery` ms. */
  isDue(): boolean {
    const now = this.clock.elapsed();
    if (!this.suspect || now < this.next) return false;
    this.suspect = false;
    this.next = now + comparisonEvery;
    return true;
  }
}
