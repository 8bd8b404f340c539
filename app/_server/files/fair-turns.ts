/**
 * One piece of work at a time, in turns among those who ask for it: however much one of them has
 * waiting, everybody else's next piece comes before their second.
 */
export class FairTurns {
  private readonly waiting = new Map<string, (() => void)[]>();
  private isBusy = false;
  private readonly mostEach: number;

  /** `mostEach`: how much each of them may have waiting. */
  constructor(mostEach: number) {
    this.mostEach = mostEach;
  }

  /** Does the work in its turn; null where so much of its owner's waits already. */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T | null> {
    if (this.isBusy) {
      const own = this.waiting.get(owner) ?? [];
      if (own.length >= this.mostEach) return null;
      this.waiting.set(owner, own);
      await new Promise<void>((mine) => own.push(mine));
    }
    this.isBusy = true;
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private next(): void {
    const [first] = this.waiting;
    if (!first) {
      this.isBusy = false;
      return;
    }
    const [owner, own] = first;
    const begin = own.shift();
    this.waiting.delete(owner);
    // Behind all others.
    if (own.length > 0) this.waiting.set(owner, own);
    begin?.();
  }
}
