import type { Clock, Random } from "./clock";

type Task = { due: number; order: number; run: () => void };

/** A clock that a test advances. Between two tasks, every promise that can settle is settled. */
export class VirtualClock implements Clock {
  private ticks = 0;
  private order = 0;
  private tasks: Task[] = [];
  private begun: number;

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.begun = start;
  }

  now(): number {
    return this.begun + this.ticks;
  }

  elapsed(): number {
    return this.ticks;
  }

  /** Shifts the displayed time by `by` milliseconds, which may be negative. No task becomes due. */
  set(by: number): void {
    this.begun += by;
  }

  after(delay: number, run: () => void): () => void {
    this.order += 1;
    const task = { due: this.ticks + Math.max(0, delay), order: this.order, run };
    this.tasks.push(task);
    return () => {
      this.tasks = this.tasks.filter((other) => other !== task);
    };
  }

  async advance(duration: number): Promise<void> {
    const end = this.ticks + duration;
    await settle();
    for (;;) {
      const next = this.first();
      if (!next || next.due > end) break;
      this.tasks = this.tasks.filter((task) => task !== next);
      this.ticks = Math.max(this.ticks, next.due);
      next.run();
      await settle();
    }
    this.ticks = end;
  }

  private first(): Task | null {
    let first: Task | null = null;
    for (const task of this.tasks)
      if (!first || task.due < first.due || (task.due === first.due && task.order < first.order))
        first = task;
    return first;
  }

  /** Advances until a condition holds. Throws after `most` milliseconds of virtual time. */
  async until(condition: () => boolean, most = 60_000): Promise<void> {
    const end = this.ticks + most;
    while (!condition()) {
      if (this.ticks >= end) throw new Error("the condition never held");
      await this.advance(50);
    }
  }

  wait(duration: number): Promise<void> {
    return new Promise((resolve) => this.after(duration, resolve));
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Creates reproducible randomness: a mulberry32 generator. */
export function seededRandom(
  seed: number,
): Random & { below(bound: number): number; chance(probability: number): boolean } {
  let state = seed >>> 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(unit() * 16).toString(16)).join("");
  return {
    unit,
    below: (bound) => Math.floor(unit() * bound),
    chance: (probability) => unit() < probability,
    clientId: () => Math.floor(unit() * 2 ** 32),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}
