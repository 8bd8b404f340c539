export type RateLimit = { most: number; seconds: number };

/** With fewer keys than this, no scan is worthwhile. */
const few = 10_000;

/** A token bucket per key, refilled evenly. Keys with a full bucket are dropped. */
export class RateLimiter {
  private readonly buckets = new Map<string, { left: number; at: number }>();

  /** The number of keys above which full buckets are searched for. */
  private most = few;
  private readonly limit: RateLimit;
  private readonly now: () => number;

  constructor(limit: RateLimit, now: () => number) {
    this.limit = limit;
    this.now = now;
  }

  /** Takes one attempt. Returns 0, or the seconds until the next attempt is allowed. */
  take(key: string): number {
    const bucket = this.refilled(key);
    if (bucket.left < 1)
      return Math.ceil((1 - bucket.left) * (this.limit.seconds / this.limit.most));
    bucket.left -= 1;
    this.buckets.set(key, bucket);
    return 0;
  }

  /** Gives back an attempt that proved legitimate. */
  giveBack(key: string): void {
    const bucket = this.refilled(key);
    bucket.left = Math.min(this.limit.most, bucket.left + 1);
    this.buckets.set(key, bucket);
  }

  private refilled(key: string): { left: number; at: number } {
    const now = this.now();
    if (this.buckets.size > this.most) this.forget(now);
    const bucket = this.buckets.get(key);
    if (!bucket) return { left: this.limit.most, at: now };
    return { left: this.level(bucket, now), at: now };
  }

  private level(bucket: { left: number; at: number }, now: number): number {
    const refill = ((now - bucket.at) / 1000) * (this.limit.most / this.limit.seconds);
    return Math.min(this.limit.most, bucket.left + Math.max(0, refill));
  }

  private forget(now: number): void {
    for (const [key, bucket] of this.buckets) {
      if (this.level(bucket, now) >= this.limit.most) this.buckets.delete(key);
    }
    // Scanning only at twice the size keeps the amortised cost of an attempt constant.
    this.most = Math.max(few, 2 * this.buckets.size);
  }
}
