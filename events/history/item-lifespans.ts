import { never } from "@/events/crdt/updates/lifespans";

class Column {
  private values = new Uint32Array(256).fill(never);

  at(clock: number): number {
    return this.values[clock] ?? never;
  }

  /** Sets the revision of every clock in the range that has none yet. */
  set(clock: number, length: number, revision: number): void {
    const end = clock + length;
    if (end > this.values.length) {
      const larger = new Uint32Array(Math.max(end, this.values.length * 2)).fill(never);
      larger.set(this.values);
      this.values = larger;
    }
    for (let at = clock; at < end; at += 1)
      if (this.values[at] === never) this.values[at] = revision;
  }
}

/** The revision at which each clock tick of each Yjs client was written, and the one at which it was deleted. */
export class ItemLifespans {
  private readonly births = new Map<number, Column>();
  private readonly deaths = new Map<number, Column>();

  bear(client: number, clock: number, length: number, revision: number): void {
    columnOf(this.births, client).set(clock, length, revision);
  }

  bury(client: number, clock: number, length: number, revision: number): void {
    columnOf(this.deaths, client).set(clock, length, revision);
  }

  born(client: number, clock: number): number {
    return this.births.get(client)?.at(clock) ?? never;
  }

  died(client: number, clock: number): number {
    return this.deaths.get(client)?.at(clock) ?? never;
  }
}

function columnOf(columns: Map<number, Column>, client: number): Column {
  const known = columns.get(client);
  if (known) return known;
  const column = new Column();
  columns.set(client, column);
  return column;
}
