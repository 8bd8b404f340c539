import type { PendingEdit } from "../pending-edit";
import type { InspectedUpdate } from "../update-inspection";
import { writeUpdate } from "../yjs-update";
import type { Id, Range, UpdateParts } from "../yjs-update";

/**
 * The range of a client id's clocks that belong to this tab's edits (`to` exclusive), and the
 * replacement client id of these clocks.
 */
type Taken = { client: number; from: number; to: number };

/**
 * Replacement client ids for this tab's edits. They are needed if the log has used the tab's client
 * id for other content from the edits' first clock on: Yjs would then skip the edits as already
 * known. Ids beyond 2^32 are free, because Yjs assigns none. They never leave the page that remakes
 * the edits.
 */
export class FreeClients {
  private readonly clients = new Map<number, Taken | null>();
  private renames = false;
  private readonly clockOf: (client: number) => number;

  constructor(clockOf: (client: number) => number) {
    this.clockOf = clockOf;
  }

  /** Returns the replacement of an id, or the id itself if it has none. */
  id<T extends Id>(id: T): T {
    const taken = this.takenOf(id);
    return taken ? { ...id, client: taken.client, clock: id.clock - taken.from } : id;
  }

  /** Splits a range where replacements begin and end, and returns the replaced ids in order. */
  ranges({ client, clock, length }: Range): Range[] {
    const end = clock + length;
    const taken = this.clients.get(client);
    if (!taken) return [{ client, clock, length }];
    const cuts = [clock, taken.from, taken.to, end].map((at) => Math.min(end, Math.max(clock, at)));
    return cuts.slice(1).flatMap((to, index) => {
      const from = cuts[index] ?? to;
      return to > from ? [this.id({ client, clock: from, length: to - from })] : [];
    });
  }

  /**
   * Whether an edit has a replaced client id, or depends on or deletes clocks that have a
   * replacement.
   */
  renamesAny({ structs, deletes }: Pick<InspectedUpdate, "structs" | "deletes">): boolean {
    if (!this.renames) return false;
    return (
      structs.some(
        ({ client, dependsOn }) =>
          this.clients.get(client) || dependsOn.some((id) => this.takenOf(id)),
      ) || deletes.some((range) => this.ranges(range).some(({ client }) => client !== range.client))
    );
  }

  /**
   * Returns an edit's update under the replaced ids, without its deletions. Expects edits in order.
   */
  update({ inspected, update }: Pick<PendingEdit, "inspected" | "update">): Uint8Array {
    const { structs, deletes, parts } = inspected;
    for (const { client, clock, length } of structs) {
      const known = this.clients.get(client);
      if (known) known.to = Math.max(known.to, clock + length);
      if (known !== undefined) continue;
      const taken =
        clock < this.clockOf(client)
          ? { client: this.unused(client), from: clock, to: clock + length }
          : null;
      this.clients.set(client, taken);
      this.renames ||= taken !== null;
    }
    if (!this.renames && deletes.length === 0) return update;
    return writeUpdate({ blocks: this.renames ? this.renamed(parts) : parts.blocks, deletes: [] });
  }

  /** Returns the range of this tab's clocks that contains a clock, or null if there is none. */
  private takenOf({ client, clock }: Id): Taken | null {
    const taken = this.clients.get(client);
    return taken && clock >= taken.from && clock < taken.to ? taken : null;
  }

  private renamed({ blocks }: UpdateParts): UpdateParts["blocks"] {
    const idOf = (id: Id | null) => id && this.id(id);
    return blocks.map(({ client, clock, structs }) => ({
      ...this.id({ client, clock }),
      structs: structs.map((struct) => ({
        ...struct,
        clock: this.id({ client, clock: struct.clock }).clock,
        origin: idOf(struct.origin),
        rightOrigin: idOf(struct.rightOrigin),
        parent: idOf(struct.parent),
      })),
    }));
  }

  private unused(client: number): number {
    let free = client + 2 ** 32;
    while (this.clients.has(free)) free += 2 ** 32;
    return free;
  }
}
