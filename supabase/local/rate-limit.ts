export type RateLimit = { most: number; seconds: number };

/** As many keys are not worth looking through. */
const few = 10_000;

/** Counts tries per key in a bucket that refills evenly; keys are forgotten once their bucket is full again. */
export class RateLimiter {
  readonly #buckets = new Map<string, { left: number; at: number }>();

  /** How many keys there may be before those with a full bucket are looked for. */
  #most = few;
  readonly #limit: RateLimit;
  readonly #now: () => number;

  constructor(limit: RateLimit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Takes one try; answers 0, or how many seconds to wait for the next. */
  take(key: string): number {
    const bucket = this.#refilled(key);
    if (bucket.left < 1)
      return Math.ceil((1 - bucket.left) * (this.#limit.seconds / this.#limit.most));
    bucket.left -= 1;
    this.#buckets.set(key, bucket);
    return 0;
  }

  /** Gives a try back, for one that turned out to be rightful. */
  giveBack(key: string): void {
    const bucket = this.#refilled(key);
    bucket.left = Math.min(this.#limit.most, bucket.left + 1);
    this.#buckets.set(key, bucket);
  }

  #refilled(key: string): { left: number; at: number } {
    const now = this.#now();
    if (this.#buckets.size > this.#most) this.#forget(now);
    const bucket = this.#buckets.get(key);
    if (!bucket) return { left: this.#limit.most, at: now };
    return { left: this.#level(bucket, now), at: now };
  }

  #level(bucket: { left: number; at: number }, now: number): number {
    const refill = ((now - bucket.at) / 1000) * (this.#limit.most / this.#limit.seconds);
    return Math.min(this.#limit.most, bucket.left + Math.max(0, refill));
  }

  #forget(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (this.#level(bucket, now) >= this.#limit.most) this.#buckets.delete(key);
    }
    // Only when there are twice as many is it done again: so a try costs the same however many keys there are.
    this.#most = Math.max(few, 2 * this.#buckets.size);
  }
}
