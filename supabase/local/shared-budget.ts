type Waiting = { key: string; amount: number; admit: () => void };

/**
 * How much of something, such as bytes of bodies or connections of the database, may be in use at a
 * time: by one key, such as a network address or an account, and in all. Who finds none left waits
 * until there is some; whoever is slow keeps only those of the same key waiting. Of those who wait
 * the first goes whose key holds least.
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
   * Waits for this amount; answers how to give it back. `gone` aborts when who asked is no more, and
   * then this throws.
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

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many of a key wait. */
  waitingOf(key: string): number {
    return this.#waiting.filter((entry) => entry.key === key).length;
  }

  /** How much a key has in use. */
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
