/** The owner of a task: an account, and the network it comes from. */
export type Payer = { network: string; account: string };

/**
 * A round-robin queue: first across networks, then across the accounts of a network. An account
 * with a hundred entries delays another account by one entry at a time.
 */
export class FairQueue<T> {
  private readonly networks = new Map<string, Map<string, T[]>>();

  get size(): number {
    let size = 0;
    for (const network of this.networks.keys()) size += this.sizeOf({ network });
    return size;
  }

  /** Returns the number of entries of a network, or of one of its accounts. */
  sizeOf({ network, account }: { network: string; account?: string }): number {
    const accounts = this.networks.get(network);
    if (account !== undefined) return accounts?.get(account)?.length ?? 0;
    return [...(accounts?.values() ?? [])].reduce((sum, entries) => sum + entries.length, 0);
  }

  add({ network, account }: Payer, entry: T): void {
    const accounts = this.networks.get(network) ?? new Map<string, T[]>();
    this.networks.set(network, accounts);
    const entries = accounts.get(account);
    if (entries) entries.push(entry);
    else accounts.set(account, [entry]);
  }

  /** Removes an entry; returns false if the entry is no longer queued. */
  remove({ network, account }: Payer, entry: T): boolean {
    const accounts = this.networks.get(network);
    const entries = accounts?.get(account);
    const index = entries?.indexOf(entry) ?? -1;
    if (!accounts || !entries || index < 0) return false;
    entries.splice(index, 1);
    if (entries.length === 0) accounts.delete(account);
    if (accounts.size === 0) this.networks.delete(network);
    return true;
  }

  /** Takes the next entry, and moves its network and account to the back. */
  next(): T | undefined {
    const [first] = this.networks;
    if (!first) return undefined;
    const [network, accounts] = first;
    this.networks.delete(network);
    const [line] = accounts;
    if (!line) return undefined;
    const [account, entries] = line;
    const entry = entries.shift();
    accounts.delete(account);
    if (entries.length > 0) accounts.set(account, entries);
    if (accounts.size > 0) this.networks.set(network, accounts);
    return entry;
  }
}
