import type { Clock } from "@/events/core/clock";

/** Minimum ms between two comparisons, whose cost grows with the length of the text. */
const comparisonEvery = 10_000;

/**
 * Decides when to compare the page with the log, because the page may show something that the log
 * does not hold.
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
   * Called when the log has brought rows. Unlogged updates may have been forged, and edits that
   * readers reject may have been written here.
   */
  logged(unlogged: number, rejected: number): void {
    if (unlogged > 0 || rejected !== this.rejected) this.suspect = true;
    this.rejected = rejected;
  }

  /** Whether to compare now; if so, not again for a while. */
  isDue(): boolean {
    const now = this.clock.elapsed();
    if (!this.suspect || now < this.next) return false;
    this.suspect = false;
    this.next = now + comparisonEvery;
    return true;
  }
}
