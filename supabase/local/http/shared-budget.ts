type Waiting = { key: string; amount: number; admit: () => void };

/**
 * Limits the amount in use of a resource, such as bytes of bodies or database connections, per key
 * (a network address or an account) and overall. A request waits until enough is free, so a slow
 * key delays only itself. The next request in turn is the first of the key that holds the least.
 */
export class SharedBudget {
  private readonly perKey: number;
  private readonly overall: number;
  private readonly heldAmount = new Map<string, number>();
  private total = 0;
  private queue: Waiting[] = [];

  constructor({ perKey, overall }: { perKey: number; overall: number }) {
    this.perKey = perKey;
    this.overall = overall;
  }

  /**
   * Waits for this amount, and returns a function that gives it back. Throws when `gone` aborts
   * because the caller has disconnected.
   */
  async take(key: string, amount: number, gone: AbortSignal): Promise<() => void> {
    gone.throwIfAborted();
    if (!this.fits(key, amount)) await this.turn(key, amount, gone);
    else this.hold(key, amount);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.hold(key, -amount);
      this.admitWaiting();
    };
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Returns the number of a key's waiting requests. */
  waitingOf(key: string): number {
    return this.queue.filter((entry) => entry.key === key).length;
  }

  /** Returns the amount that a key has in use. */
  held(key: string): number {
    return this.heldAmount.get(key) ?? 0;
  }

  private turn(key: string, amount: number, gone: AbortSignal): Promise<void> {
    return new Promise((settle, reject) => {
      const leave = () => {
        this.queue = this.queue.filter((other) => other !== entry);
        reject(gone.reason);
      };
      const entry: Waiting = {
        key,
        amount,
        admit: () => {
          gone.removeEventListener("abort", leave);
          settle();
        },
      };
      gone.addEventListener("abort", leave, { once: true });
      this.queue.push(entry);
    });
  }

  private admitWaiting(): void {
    for (;;) {
      const next = this.queue
        .filter(({ key, amount }) => this.fits(key, amount))
        .reduce<Waiting | null>(
          (least, entry) =>
            least !== null && this.held(least.key) <= this.held(entry.key) ? least : entry,
          null,
        );
      if (next === null) return;
      this.queue = this.queue.filter((entry) => entry !== next);
      this.hold(next.key, next.amount);
      next.admit();
    }
  }

  private fits(key: string, amount: number): boolean {
    return (
      (this.heldAmount.get(key) ?? 0) + amount <= this.perKey && this.total + amount <= this.overall
    );
  }

  private hold(key: string, amount: number): void {
    const held = (this.heldAmount.get(key) ?? 0) + amount;
    if (held === 0) this.heldAmount.delete(key);
    else this.heldAmount.set(key, held);
    this.total += amount;
  }
}
