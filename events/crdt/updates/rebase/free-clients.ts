import type { PendingEdit } from "../pending-edit";
import type { InspectedUpdate } from "../update-inspection";
import { writeUpdate } from "../yjs-update";
import type { Id, Range, UpdateParts } from "../yjs-update";

/**
 * The range of a client id's clocks that belong to this tab's edits, `to` exclusive, and the client
 * id that they have here.
 */
type Taken = { client: number; from: number; to: number };

/**
 * Replacement client ids for this tab's edits if the log has used their client id for something
 * else from their first clock on: the edits would then be taken for known. Ids beyond 2^32 are
 * free, since Yjs assigns none; they never leave the page that remakes the edits.
 */
export class FreeClients {
  private readonly clients = new Map<number, Taken | null>();
  private renames = false;
  private readonly clockOf: (client: number) => number;

  constructor(clockOf: (client: number) => number) {
    this.clockOf = clockOf;
  }

  /** The id that a clock has here. */
  id<T extends Id>(id: T): T {
    const taken = this.takenOf(id);
    return taken ? { ...id, client: taken.client, clock: id.clock - taken.from } : id;
  }

  /** The ids that the clocks of a range have here, in order. */
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
   * Whether an edit has a replaced client id, or depends on or deletes clocks that are renamed
   * here.
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
   * An edit under the ids that its clocks have here, without its deletions. Edits come in order.
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

  /** The range of this tab's clocks that contains a clock, if any. */
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
