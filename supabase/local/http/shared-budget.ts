type Waiting = { key: string; amount: number; admit: () => void };

/**
 * Limits the amount in use of a resource, such as bytes of bodies or database connections, per key
 * (a network address or an account) and overall. A request waits until enough is free; a slow key
 * only delays itself. The next in turn is the first request of the key that holds the least.
 */
export class SharedBudget {
  readonly #perKey: number;
  readonly #overall: number;
  readonly #held = new Map<string, number>();
  #total = 0;
  #waiting: Waiting[] = [];

  constructor({ perKey, overall }: { perKey: number; overall: number }) {
    this.#perKey = perKey;
    this.#overall = overall;
  }

  /**
   * Waits for this amount; returns a function to give it back. Throws when `gone` aborts because
   * the caller has disconnected.
   */
  async take(key: string, amount: number, gone: AbortSignal): Promise<() => void> {
    gone.throwIfAborted();
    if (!this.#fits(key, amount)) await this.#turn(key, amount, gone);
    else this.#hold(key, amount);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#hold(key, -amount);
      this.#admitWaiting();
    };
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** The number of a key's waiting requests. */
  waitingOf(key: string): number {
    return this.#waiting.filter((entry) => entry.key === key).length;
  }

  /** The amount that a key has in use. */
  held(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  #turn(key: string, amount: number, gone: AbortSignal): Promise<void> {
    return new Promise((settle, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== entry);
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
      this.#waiting.push(entry);
    });
  }

  #admitWaiting(): void {
    for (;;) {
      const next = this.#waiting
        .filter(({ key, amount }) => this.#fits(key, amount))
        .reduce<Waiting | null>(
          (least, entry) =>
            least !== null && this.held(least.key) <= this.held(entry.key) ? least : entry,
          null,
        );
      if (next === null) return;
      this.#waiting = this.#waiting.filter((entry) => entry !== next);
      this.#hold(next.key, next.amount);
      next.admit();
    }
  }

  #fits(key: string, amount: number): boolean {
    return (
      (this.#held.get(key) ?? 0) + amount <= this.#perKey && this.#total + amount <= this.#overall
    );
  }

  #hold(key: string, amount: number): void {
    const held = (this.#held.get(key) ?? 0) + amount;
    if (held === 0) this.#held.delete(key);
    else this.#held.set(key, held);
    this.#total += amount;
  }
}
