type Waiting = { address: string; bytes: number; admit: () => void };

/**
 * How many bytes of bodies may be on their way in at a time, from one network address and in all.
 * Who finds no room waits, unread, until there is some; whoever is slow keeps only those of the
 * same address waiting.
 */
export class BodyBudget {
  readonly #perAddress: number;
  readonly #overall: number;
  readonly #held = new Map<string, number>();
  #total = 0;
  #waiting: Waiting[] = [];

  constructor({ perAddress, overall }: { perAddress: number; overall: number }) {
    this.#perAddress = perAddress;
    this.#overall = overall;
  }

  /**
   * Waits for room for a body; answers how to give it back. `gone` aborts when the sender is no
   * more, and then this throws.
   */
  async take(address: string, bytes: number, gone: AbortSignal): Promise<() => void> {
    gone.throwIfAborted();
    if (!this.#fits(address, bytes)) await this.#turn(address, bytes, gone);
    else this.#hold(address, bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#hold(address, -bytes);
      this.#admitWaiting();
    };
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many bytes an address has on their way. */
  held(address: string): number {
    return this.#held.get(address) ?? 0;
  }

  #turn(address: string, bytes: number, gone: AbortSignal): Promise<void> {
    return new Promise((settle, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== entry);
        reject(gone.reason);
      };
      const entry: Waiting = {
        address,
        bytes,
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
    this.#waiting = this.#waiting.filter((entry) => {
      if (!this.#fits(entry.address, entry.bytes)) return true;
      this.#hold(entry.address, entry.bytes);
      entry.admit();
      return false;
    });
  }

  #fits(address: string, bytes: number): boolean {
    return (
      (this.#held.get(address) ?? 0) + bytes <= this.#perAddress &&
      this.#total + bytes <= this.#overall
    );
  }

  #hold(address: string, bytes: number): void {
    const held = (this.#held.get(address) ?? 0) + bytes;
    if (held === 0) this.#held.delete(address);
    else this.#held.set(address, held);
    this.#total += bytes;
  }
}
