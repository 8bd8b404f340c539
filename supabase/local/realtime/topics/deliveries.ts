import type { Clock } from "../clock";

/**
 * How many deliveries a second the frames of one person may cause, and how many at once. A delivery
 * counts once for each 4 kB of its frame. A person who types for 1 000 readers causes half as many.
 */
export const mostDeliveries = { aSecond: 20_000, atOnce: 2_000 };
const bytesOfDelivery = 4_000;
/** Persons beyond this many are looked through for those who owe nothing. */
const few = 1_000;

/**
 * What the frames of each person cost the server and everybody who hears them. A person who owes more
 * than may be caused at once is served on when the rest is paid off; nobody else waits for that.
 */
export class Deliveries {
  readonly #clock: Clock;
  readonly #owed = new Map<string, { amount: number; at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a frame of so many bytes that went to so many channels. */
  charge(person: string | null, channels: number, bytes: number): void {
    if (person === null || channels === 0) return;
    if (this.#owed.size >= few) this.#forget();
    const amount = this.#amountOf(person) + channels * Math.ceil(bytes / bytesOfDelivery);
    this.#owed.set(person, { amount, at: this.#clock.now() });
  }

  /** How long, in ms, a person's next frame has to wait. */
  restOf(person: string | null): number {
    const over = person === null ? 0 : this.#amountOf(person) - mostDeliveries.atOnce;
    return Math.max(0, Math.ceil((over / mostDeliveries.aSecond) * 1000));
  }

  /** Resolves when a person's next frame may be served. */
  async rested(person: string | null): Promise<void> {
    for (let rest = this.restOf(person); rest > 0; rest = this.restOf(person))
      await new Promise<void>((resolve) => this.#clock.after(rest, resolve));
  }

  #amountOf(person: string): number {
    const owed = this.#owed.get(person);
    if (owed === undefined) return 0;
    const paid = ((this.#clock.now() - owed.at) / 1000) * mostDeliveries.aSecond;
    return Math.max(0, owed.amount - Math.max(0, paid));
  }

  #forget(): void {
    for (const person of this.#owed.keys())
      if (this.#amountOf(person) === 0) this.#owed.delete(person);
  }
}
