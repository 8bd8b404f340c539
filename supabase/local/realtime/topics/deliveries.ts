import type { Clock } from "../clock";

/**
 * Limits on the deliveries that one person's frames may cause: per second, and in a burst. A
 * delivery counts once per 4 kB of its frame. A person who types for 1 000 readers causes half of
 * the limit.
 */
export const mostDeliveries = { aSecond: 20_000, atOnce: 2_000 };
const bytesOfDelivery = 4_000;
/** Beyond this many entries, persons without a remaining charge are dropped. */
const few = 1_000;

/**
 * Tracks the cost that each person's frames cause for the server and its clients. A person who
 * exceeded the burst waits until the excess has drained. Others are not delayed.
 */
export class Deliveries {
  private readonly clock: Clock;
  private readonly owed = new Map<string, { amount: number; at: number }>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Charges a frame of `bytes` bytes that was sent to `channels` channels. */
  charge(person: string | null, channels: number, bytes: number): void {
    if (person === null || channels === 0) return;
    if (this.owed.size >= few) this.forget();
    const amount = this.amountOf(person) + channels * Math.ceil(bytes / bytesOfDelivery);
    this.owed.set(person, { amount, at: this.clock.now() });
  }

  /** Returns how long a person's next frame has to wait, in ms. */
  restOf(person: string | null): number {
    const over = person === null ? 0 : this.amountOf(person) - mostDeliveries.atOnce;
    return Math.max(0, Math.ceil((over / mostDeliveries.aSecond) * 1000));
  }

  /** Resolves when a person's next frame may be handled. */
  async rested(person: string | null): Promise<void> {
    for (let rest = this.restOf(person); rest > 0; rest = this.restOf(person))
      await new Promise<void>((resolve) => this.clock.after(rest, resolve));
  }

  private amountOf(person: string): number {
    const owed = this.owed.get(person);
    if (owed === undefined) return 0;
    const paid = ((this.clock.now() - owed.at) / 1000) * mostDeliveries.aSecond;
    return Math.max(0, owed.amount - Math.max(0, paid));
  }

  private forget(): void {
    for (const person of this.owed.keys())
      if (this.amountOf(person) === 0) this.owed.delete(person);
  }
}
