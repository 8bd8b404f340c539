import { appendAll } from "@/events/core/append-all";
import * as Y from "yjs";
import { placeOf, structIndex, topsOf, Unplaced } from "./top-blocks";
import type { TopBlock } from "./top-blocks";
import { writeUpdate } from "./yjs-update";
import type { DeleteBlock, Range, StructBlock, UpdateParts } from "./yjs-update";

/** A part of an update: a range of struct indices, and deletions. */
export type Part = { from: number; to: number; deletes: Range[] };

/** Divides structs so that all structs of one block are in the same part. */
function structParts(tops: readonly TopBlock[]): Part[] {
  const lastOf = new Map(tops.map((top, index) => [top, index]));
  const parts: Part[] = [];
  let from = 0;
  let end = 0;
  tops.forEach((top, index) => {
    end = Math.max(end, lastOf.get(top) ?? index);
    if (index < end) return;
    parts.push({ from, to: index + 1, deletes: [] });
    from = index + 1;
  });
  return parts;
}

/** An update with structs of at most one client, divided by the blocks of the fragment. */
export class DividedUpdate {
  private readonly fragment: Y.XmlFragment;
  private readonly deletes: DeleteBlock[];
  private readonly block: StructBlock;
  private readonly tops: TopBlock[];
  private readonly positions = new Map<TopBlock, number>();

  constructor({ blocks: [block], deletes }: UpdateParts, fragment: Y.XmlFragment) {
    this.fragment = fragment;
    this.deletes = deletes;
    this.block = block ?? { client: 0, clock: Infinity, structs: [] };
    this.tops = topsOf(this.block, fragment);
    for (let item = fragment._start; item; item = item.right)
      this.positions.set(item, this.positions.size);
    this.tops.forEach((top, index) => this.place(top, index));
  }

  /** Returns the parts of the update, which can be applied one by one in this order. */
  parts(): Part[] {
    const parts = structParts(this.tops);
    const partOf = new Map<TopBlock | null, Part>();
    for (const part of parts)
      for (const top of this.tops.slice(part.from, part.to)) partOf.set(top, part);
    const changed = this.inOrder(partOf);
    let before = 0;
    for (const [top, deletes] of this.inOrder(this.deletesByTop())) {
      while (
        changed[before + 1] &&
        this.positionOf(changed[before + 1]?.[0]) <= this.positionOf(top)
      )
        before += 1;
      // A pure deletion joins the part of the change before it, so that the document always has
      // blocks.
      const part = partOf.get(top) ?? changed[before]?.[1];
      if (part) appendAll(part.deletes, deletes);
      else parts.push({ from: 0, to: 0, deletes });
    }
    return parts;
  }

  private positionOf(top: TopBlock | null | undefined): number {
    return (top && this.positions.get(top)) ?? -1;
  }

  private inOrder<Value>(map: ReadonlyMap<TopBlock | null, Value>) {
    return [...map].sort(([one], [other]) => this.positionOf(one) - this.positionOf(other));
  }

  /** Gives a new block the position of the block that it was inserted after. */
  private place(top: TopBlock, index: number): void {
    if (top instanceof Y.Item || top !== this.block.structs[index]) return;
    const { origin } = top;
    const { client, clock, structs } = this.block;
    const isNew = origin?.client === client && origin.clock >= clock;
    const before = isNew
      ? this.tops[structIndex(structs, origin.clock)]
      : origin && placeOf(this.fragment, origin).top;
    this.positions.set(top, this.positionOf(before));
  }

  /** Groups deletions, item by item, by their block. The key null holds items in no block. */
  private deletesByTop(): Map<TopBlock | null, Range[]> {
    const found = new Map<TopBlock | null, Range[]>();
    for (const { client, ranges } of this.deletes)
      for (const { clock: begin, length } of ranges) {
        const end = begin + length;
        for (let clock = begin; clock < end;) {
          const { top, stop } = this.deletedAt({ client, clock, length: end - clock });
          const list = found.get(top) ?? [];
          list.push({ client, clock, length: stop - clock });
          found.set(top, list);
          clock = stop;
        }
      }
    return found;
  }

  /** Returns the block of a range's first item, and the clock at which that item ends. */
  private deletedAt({ client, clock, length }: Range): { top: TopBlock | null; stop: number } {
    if (client === this.block.client && clock >= this.block.clock) {
      const index = structIndex(this.block.structs, clock);
      const own = this.block.structs[index];
      const end = own ? own.clock + own.length : clock;
      if (end <= clock) throw new Unplaced();
      return { top: this.tops[index] ?? null, stop: Math.min(clock + length, end) };
    }
    const { self, top } = placeOf(this.fragment, { client, clock });
    return { top, stop: Math.min(clock + length, self.id.clock + self.length) };
  }

  /** Writes one part, or several consecutive parts joined, as an update. */
  written({ from, to, deletes }: Part): Uint8Array {
    const structs = this.block.structs.slice(from, to);
    const clock = structs[0]?.clock;
    const byClient = new Map<number, DeleteBlock>();
    for (const { client, ...range } of deletes) {
      const block = byClient.get(client) ?? { client, ranges: [] };
      const last = block.ranges.at(-1);
      if (last && last.clock + last.length === range.clock) last.length += range.length;
      else block.ranges.push(range);
      byClient.set(client, block);
    }
    return writeUpdate({
      blocks: clock === undefined ? [] : [{ client: this.block.client, clock, structs }],
      deletes: [...byClient.values()],
    });
  }
}
