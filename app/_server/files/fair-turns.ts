type Waiting = { begin: () => void };

/**
 * Runs one task at a time, round-robin among owners. An owner with a long queue delays every other
 * owner by at most one task.
 */
export class FairTurns {
  private readonly waiting = new Map<string, Waiting[]>();
  private isBusy = false;
  private readonly mostEach: number;

  /** `mostEach` is the number of tasks that an owner may have waiting. */
  constructor(mostEach: number) {
    this.mostEach = mostEach;
  }

  /**
   * Runs the task in its turn. Resolves to null if its owner's queue is full. Rejects with the
   * signal's reason if the caller disconnects while waiting.
   */
  async run<T>(owner: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T | null> {
    signal?.throwIfAborted();
    if (this.isBusy) {
      if ((this.waiting.get(owner)?.length ?? 0) >= this.mostEach) return null;
      await this.turn(owner, signal);
    }
    this.isBusy = true;
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private turn(owner: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const own = this.waiting.get(owner) ?? [];
      const onAbort = () => {
        own.splice(own.indexOf(waiting), 1);
        if (own.length === 0) this.waiting.delete(owner);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      const waiting: Waiting = { begin };
      own.push(waiting);
      this.waiting.set(owner, own);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  private next(): void {
    const [first] = this.waiting;
    if (!first) {
      this.isBusy = false;
      return;
    }
    const [owner, own] = first;
    const next = own.shift();
    this.waiting.delete(owner);
    // The owner moves to the back of the queue.
    if (own.length > 0) this.waiting.set(owner, own);
    next?.begin();
  }
}
