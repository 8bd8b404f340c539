import type { Clock } from "../realtime/clock";

export class BodyTooSlow extends Error {}

/** A body brings 1 kB a second at least, over ten seconds of waiting for it. */
const slowest = { bytes: 10_000, milliseconds: 10_000 };

/** Watches how fast a body comes; only the time in which a reader waits for it counts. */
export class Pace {
  readonly #clock: Clock;
  readonly #tooSlow: () => void;
  #bytes = 0;
  #left = slowest.milliseconds;
  #since = 0;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock, tooSlow: () => void) {
    this.#clock = clock;
    this.#tooSlow = tooSlow;
  }

  /** The reader begins to wait. */
  wait(): void {
    this.#since = this.#clock.now();
    this.#cancel = this.#clock.after(this.#left, () => this.#judge());
  }

  /** The reader waits no longer. */
  pause(): void {
    this.#cancel?.();
    this.#left = Math.max(0, this.#left - (this.#clock.now() - this.#since));
  }

  took(bytes: number): void {
    this.#bytes += bytes;
  }

  #judge(): void {
    if (this.#bytes < slowest.bytes) return this.#tooSlow();
    this.#bytes = 0;
    this.#left = slowest.milliseconds;
    this.wait();
  }
}
