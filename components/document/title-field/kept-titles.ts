/**
 * The titles of ended pages that this device keeps and whose words a field has taken. Each stays
 * until the title that contains its words is recorded, because the process may die earlier.
 */
export class KeptTitles {
  private keys: string[] = [];
  private isSaving = false;

  /** Adds the storage key of a title. */
  take(key: string): void {
    this.keys.push(key);
  }

  /**
   * Removes the titles once `recorded` settles, which is null if a save had nothing to record. A
   * second title replaces the first, which must not return, so the kept titles are removed at once.
   */
  letGo(recorded: Promise<unknown> | null): void {
    if (this.keys.length === 0) return;
    if ((recorded !== null) === this.isSaving) this.remove();
    else if (recorded !== null) {
      this.isSaving = true;
      recorded.then(this.remove, this.remove);
    }
  }

  private readonly remove = (): void => {
    for (const key of this.keys) localStorage.removeItem(key);
    this.keys = [];
    this.isSaving = false;
  };
}
