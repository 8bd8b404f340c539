import type { Range } from "./yjs-update";

type Stretch = { from: number; to: number };

/** A growing set of ids, stored as ranges of each client's clocks. */
export class Places {
  private readonly clients = new Map<number, { stretches: Stretch[]; inOrder: boolean }>();

  /** Adds the ids of these ranges. */
  add(ranges: readonly Range[]): void {
    for (const { client, clock, length } of ranges) {
      const known = this.clients.get(client) ?? { stretches: [], inOrder: true };
      this.clients.set(client, known);
      const last = known.stretches.at(-1);
      if (last && last.to === clock) last.to = clock + length;
      else {
        known.inOrder &&= !last || last.to < clock;
        known.stretches.push({ from: clock, to: clock + length });
      }
    }
  }

  /** Whether any id of these ranges is in the set. */
  meet(ranges: readonly Range[]): boolean {
    return ranges.some(({ client, clock, length }) => {
      const stretches = this.inOrder(client);
      let [low, high] = [0, stretches.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((stretches[middle]?.to ?? 0) <= clock) low = middle + 1;
        else high = middle;
      }
      return (stretches[low]?.from ?? Number.POSITIVE_INFINITY) < clock + length;
    });
  }

  /** Returns all ranges, sorted for each client and without overlaps. */
  ranges(): Range[] {
    return [...this.clients.keys()].flatMap((client) =>
      this.inOrder(client).map(({ from, to }) => ({ client, clock: from, length: to - from })),
    );
  }

  private inOrder(client: number): readonly Stretch[] {
    const known = this.clients.get(client);
    if (!known) return [];
    if (!known.inOrder) {
      const joined: Stretch[] = [];
      for (const stretch of known.stretches.sort((one, other) => one.from - other.from)) {
        const last = joined.at(-1);
        if (last && last.to >= stretch.from) last.to = Math.max(last.to, stretch.to);
        else joined.push(stretch);
      }
      known.stretches = joined;
      known.inOrder = true;
    }
    return known.stretches;
  }
}
