import type { Range } from "./yjs-update";

/** Consecutive clocks of one client, and the counterpart of the first of them. */
type Run = { clock: number; length: number; to: number };

/** Returns the index of the first of these sorted runs that ends after `clock`. */
export function indexAt(runs: readonly Pick<Range, "clock" | "length">[], clock: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const run = runs[middle];
    if (run && run.clock + run.length <= clock) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Maps clients' clocks to counterparts, stored as sorted runs: a thousand letters in a row are one
 * entry.
 */
export class ClockRanges {
  private readonly clients = new Map<number, Run[]>();

  /** Adds clocks that the map does not contain yet. */
  add({ client, clock, length }: Range, to = clock): void {
    const runs = this.clients.get(client);
    if (!runs) {
      this.clients.set(client, [{ clock, length, to }]);
      return;
    }
    const index = indexAt(runs, clock);
    const before = runs[index - 1];
    if (before && before.clock + before.length === clock && before.to + before.length === to)
      before.length += length;
    else runs.splice(index, 0, { clock, length, to });
  }

  has(client: number, clock: number): boolean {
    return this.at(client, clock) !== null;
  }

  /** Returns the counterpart of a clock, or null if the clock is not in the map. */
  at(client: number, clock: number): number | null {
    const runs = this.clients.get(client);
    const run = runs?.[indexAt(runs, clock)];
    return run && run.clock <= clock ? run.to + clock - run.clock : null;
  }

  /** Returns the last clock in [start, end) that is in the map, or null if there is none. */
  lastWithin(client: number, start: number, end: number): number | null {
    const runs = this.clients.get(client);
    if (!runs) return null;
    const index = indexAt(runs, end - 1);
    const run = runs[index];
    if (run && run.clock < end) return Math.max(start, end - 1);
    const before = runs[index - 1];
    return before && before.clock + before.length > start ? before.clock + before.length - 1 : null;
  }

  /** Returns the first clock in [start, end) that is in the map, or null if there is none. */
  firstWithin(client: number, start: number, end: number): number | null {
    const runs = this.clients.get(client);
    const run = runs?.[indexAt(runs, start)];
    return run && run.clock < end ? Math.max(start, run.clock) : null;
  }

  /** Splits a range into the parts in the map (`inside`, with their counterparts) and the rest. */
  parts({ client, clock, length }: Range): { inside: Run[]; outside: Range[] } {
    const runs = this.clients.get(client) ?? [];
    const end = clock + length;
    const inside: Run[] = [];
    const outside: Range[] = [];
    let at = clock;
    for (let index = indexAt(runs, clock); at < end; index += 1) {
      const run = runs[index];
      const start = run && run.clock < end ? Math.max(at, run.clock) : end;
      if (start > at) outside.push({ client, clock: at, length: start - at });
      if (!run || start === end) break;
      const stop = Math.min(end, run.clock + run.length);
      inside.push({ clock: start, length: stop - start, to: run.to + start - run.clock });
      at = stop;
    }
    return { inside, outside };
  }
}
