type Unlogged = { readonly update: Uint8Array };

/**
 * Others' unlogged updates that this tab's own edits depend on, kept on the device beside those
 * edits under their record keys.
 */
export class DependencyUpdates {
  private readonly keys = new Map<Uint8Array, string>();
  /** The newest update at the last call of `fresh`: it and all before it are kept. */
  private newest: Unlogged | null = null;

  add(update: Uint8Array, key: string): string {
    this.keys.set(update, key);
    return key;
  }

  /**
   * Returns the updates that are not kept yet, in order. Stops at the first known one: there may be
   * thousands.
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

  /** Drops all updates; returns their keys. */
  clear(): string[] {
    const keys = [...this.keys.values()];
    this.keys.clear();
    this.newest = null;
    return keys;
  }
}
