/**
 * Tells which answers of the database may replace what is shown at once, before it is recorded:
 * none that was asked for before a change of this tab was recorded, and none that came late.
 */
export class ReadGate {
  private writesBegun = 0;
  private writesOpen = 0;
  private readsBegun = 0;
  private isStale = false;
  private readAgain = () => {};

  /** Has `readAgain` called where an answer was not shown, as soon as nothing is being written; answers how to stop. */
  onStale(readAgain: () => void): () => void {
    this.readAgain = readAgain;
    return () => {
      this.readAgain = () => {};
    };
  }

  /** A change begins to be recorded, and is shown already; what it returns is called when that has ended. */
  write(): () => void {
    this.writesBegun += 1;
    this.writesOpen += 1;
    return () => {
      this.writesOpen -= 1;
      if (this.writesOpen > 0 || !this.isStale) return;
      this.isStale = false;
      this.readAgain();
    };
  }

  /** A read begins; what it returns tells, once the answer is there, whether that may be shown. */
  read(): () => boolean {
    this.readsBegun += 1;
    const { readsBegun, writesBegun, writesOpen } = this;
    return () => {
      // One that was asked for later is on its way, or was shown.
      if (readsBegun !== this.readsBegun) return false;
      if (writesOpen === 0 && writesBegun === this.writesBegun) return true;
      if (this.writesOpen > 0) this.isStale = true;
      else this.readAgain();
      return false;
    };
  }
}
