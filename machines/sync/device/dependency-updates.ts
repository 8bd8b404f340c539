type Unlogged = { readonly update: Uint8Array };

/**
 * Others' unlogged updates that this tab's edits depend on. The device stores these updates beside
 * the edits, under their record keys.
 */
export class DependencyUpdates {
  private readonly keys = new Map<Uint8Array, string>();
  /** The newest update at the last call of `fresh`. All updates up to it are stored. */
  private newest: Unlogged | null = null;

  add(update: Uint8Array, key: string): string {
    this.keys.set(update, key);
    return key;
  }

  /**
   * Returns the updates that are not stored yet, in order. Searches backwards and stops at the
   * first known update, because there may be thousands.
   */
  fresh(unlogged: readonly Unlogged[]): Uint8Array[] {
    const fresh: Uint8Array[] = [];
    for (let index = unlogged.length - 1; index >= 0; index -= 1) {
      const entry = unlogged[index];
      if (!entry || entry === this.newest) break;
      if (!this.keys.has(entry.update)) fresh.push(entry.update);
    }
    this.newest = unlogged.at(-1) ?? null;
    return fresh.reverse();
  }

  /** Drops all updates. Returns their record keys. */
  clear(): string[] {
    const keys = [...this.keys.values()];
    this.keys.clear();
    this.newest = null;
    return keys;
  }
}
