type Unlogged = { readonly update: Uint8Array };

/**
 * Others' unlogged updates that are kept on the device along with one's own edits, which depend on
 * them; and the keys that name them there.
 */
export class DependencyUpdates {
  private readonly keys = new Map<Uint8Array, string>();
  /** The newest one when somebody asked last: all before it are kept. */
  private newest: Unlogged | null = null;

  add(update: Uint8Array, key: string): string {
    this.keys.set(update, key);
    return key;
  }

  /** Those that are not kept yet, in their order; looks no further back than it has to, for there may be thousands. */
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

  /** Lets go of all of them; answers their keys. */
  clear(): string[] {
    const keys = [...this.keys.values()];
    this.keys.clear();
    this.newest = null;
    return keys;
  }
}
