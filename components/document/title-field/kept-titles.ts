/**
 * The titles that this device keeps of pages that ended and whose words a field has taken. Each
 * stays until the title that contains its words is recorded, because the process may die before.
 */
export class KeptTitles {
  private keys: string[] = [];
  private isSaving = false;

  /** Adds the key under which the device keeps a title. */
  take(key: string): void {
    this.keys.push(key);
  }

  /**
   * Removes the titles once `recorded` settles; null when a save had nothing to record. A second
   * title replaces the first, which must not come back, and so removes them at once.
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
