type Waiting = { begin: () => void };

/**
 * One piece of work at a time, in turns among those who ask for it: however much one of them has
 * waiting, everybody else's next piece comes before their second.
 */
export class FairTurns {
  private readonly waiting = new Map<string, Waiting[]>();
  private isBusy = false;
  private readonly mostEach: number;

  /** `mostEach`: how much each of them may have waiting. */
  constructor(mostEach: number) {
    this.mostEach = mostEach;
  }

  /**
   * Does the work in its turn; null where so much of its owner's waits already. Rejects with the
   * signal's reason where its caller goes while it waits.
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
    // Behind all others.
    if (own.length > 0) this.waiting.set(owner, own);
    next?.begin();
  }
}
