import { grown } from "@/events/core/bytes/growing";
import { never } from "@/events/crdt/updates/lifespans";

/**
 * The change of revisions from one character of a run to the next: births by 0 or 1, deaths by 0, 1
 * or -1.
 */
const step = { bornOn: 1, diedOn: 2, diedBack: 4 } as const;

/**
 * The insertion and deletion revisions of every character in page order, run-length encoded. Typing
 * and erasing advance by one revision per letter, so a run describes hundreds of letters in a few
 * numbers.
 */
export type LifeRuns = {
  /** The first character of each run, ascending. */
  start: Uint32Array;
  born: Uint32Array;
  died: Uint32Array;
  steps: Uint8Array;
  /**
   * The Yjs client, as an index into `clients`, and the clock of a run's first character. The
   * clocks of the other characters follow.
   */
  client: Uint32Array;
  clock: Float64Array;
  clients: number[];
  /** The number of characters. */
  length: number;
};

/** Collects characters' revisions into runs. */
export class LifeRunsBuilder {
  length = 0;
  private count = 0;
  private open = false;
  private single = true;
  private start = new Uint32Array(64);
  private born = new Uint32Array(64);
  private died = new Uint32Array(64);
  private steps = new Uint8Array(64);
  private client = new Uint32Array(64);
  private clock: number[] = [];

  get runs(): number {
    return this.count;
  }

  /** Makes the next character begin a new run. */
  cut(): void {
    this.open = false;
  }

  push(born: number, died: number, client: number, clock: number): void {
    if (!this.open || !this.follows(client, clock) || !this.goesOn(born, died))
      this.begin(born, died, client, clock);
    this.length += 1;
  }

  finish(clients: number[]): LifeRuns {
    const { count } = this;
    const cut = <T extends Uint32Array | Uint8Array>(column: T) => column.slice(0, count) as T;
    return {
      start: cut(this.start),
      born: cut(this.born),
      died: cut(this.died),
      steps: cut(this.steps),
      client: cut(this.client),
      clock: Float64Array.from(this.clock),
      clients,
      length: this.length,
    };
  }

  private follows(client: number, clock: number): boolean {
    const index = this.count - 1;
    return (
      this.client[index] === client &&
      (this.clock[index] ?? 0) + this.length - (this.start[index] ?? 0) === clock
    );
  }

  private begin(born: number, died: number, client: number, clock: number): void {
    const index = this.count;
    this.count += 1;
    this.start = grown(this.start, this.count);
    this.born = grown(this.born, this.count);
    this.died = grown(this.died, this.count);
    this.steps = grown(this.steps, this.count);
    this.start[index] = this.length;
    this.born[index] = born;
    this.died[index] = died;
    this.steps[index] = 0;
    this.client = grown(this.client, this.count);
    this.client[index] = client;
    this.clock.push(clock);
    this.open = true;
    this.single = true;
  }

  private goesOn(born: number, died: number): boolean {
    const index = this.count - 1;
    const [firstBorn, firstDied] = [this.born[index] ?? 0, this.died[index] ?? 0];
    const offset = this.length - (this.start[index] ?? 0);
    if (this.single) {
      const later = born - firstBorn;
      const gone = died - firstDied;
      const sameDeath =
        firstDied === never || died === never ? gone === 0 : gone >= -1 && gone <= 1;
      if (later < 0 || later > 1 || !sameDeath) return false;
      this.steps[index] =
        (later === 1 ? step.bornOn : 0) |
        (gone === 1 ? step.diedOn : gone === -1 ? step.diedBack : 0);
      this.single = false;
      return true;
    }
    const steps = this.steps[index] ?? 0;
    return (
      born === firstBorn + offset * bornStep(steps) && died === firstDied + offset * diedStep(steps)
    );
  }
}

/** Returns the increase of births from one character of a run to the next. */
export function bornStep(steps: number): number {
  return steps & step.bornOn;
}

/** Returns the change of deaths from one character of a run to the next. */
export function diedStep(steps: number): number {
  return (steps & step.diedOn) !== 0 ? 1 : (steps & step.diedBack) !== 0 ? -1 : 0;
}

/** Whether a run's characters were deleted one by one. */
export function wentSingly(steps: number): boolean {
  return (steps & (step.diedOn | step.diedBack)) !== 0;
}

/** Counts the characters of a run that stand at a revision. */
export function countStanding(
  { start, born, died, steps, length }: LifeRuns,
  run: number,
  at: number,
): number {
  const first = born[run] ?? 0;
  if (first > at) return 0;
  const going = steps[run] ?? 0;
  const gone = died[run] ?? 0;
  if (going === 0 && gone <= at) return 0;
  const all = (start[run + 1] ?? length) - (start[run] ?? 0);
  const come = (going & step.bornOn) !== 0 ? Math.min(all, at - first + 1) : all;
  if ((going & step.diedOn) !== 0) return come - Math.min(come, Math.max(0, at - gone + 1));
  if ((going & step.diedBack) !== 0) return Math.max(0, Math.min(come, gone - at));
  return gone > at ? come : 0;
}

/**
 * Writes the range of a run's characters that stand at a revision into `into`, as positions in the
 * text. The range is always contiguous.
 */
export function placeStanding(
  { start, born, died, steps, length }: LifeRuns,
  run: number,
  at: number,
  into: { from: number; to: number },
): void {
  const first = start[run] ?? 0;
  const end = start[run + 1] ?? length;
  const going = steps[run] ?? 0;
  const gone = died[run] ?? 0;
  into.from = first;
  into.to =
    (born[run] ?? 0) > at
      ? first
      : (going & step.bornOn) !== 0
        ? Math.min(end, first + at - (born[run] ?? 0) + 1)
        : end;
  if ((going & step.diedOn) !== 0)
    into.from = Math.min(into.to, Math.max(first, first + at - gone + 1));
  else if ((going & step.diedBack) !== 0)
    into.to = Math.max(first, Math.min(into.to, first + gone - at));
  else if (gone <= at) into.to = first;
}

/** Returns the position after a run's last character. */
export function runEnd({ start, length }: LifeRuns, run: number): number {
  return start[run + 1] ?? length;
}

/** Returns the number of characters in a run. */
export function runLength(runs: LifeRuns, run: number): number {
  return runEnd(runs, run) - (runs.start[run] ?? 0);
}
