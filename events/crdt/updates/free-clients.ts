import { type PendingEdit } from "./pending-edit";
import { writeUpdate, type Id, type UpdateParts } from "./yjs-update";

type Taken = { client: number; from: number };

/**
 * Client ids for edits whose own the log has given to something else from their first tick on:
 * under those they would be taken for known. An id beyond 2^32 is free, for Yjs gives none; it
 * never leaves the page that the edits are made again in.
 */
export class FreeClients {
  private readonly clients = new Map<number, Taken | null>();
  private renames = false;
  private readonly clockOf: (client: number) => number;

  constructor(clockOf: (client: number) => number) {
    this.clockOf = clockOf;
  }

  /** The name that a tick has here. */
  id<T extends Id>(id: T): T {
    const taken = this.clients.get(id.client);
    return taken && id.clock >= taken.from
      ? { ...id, client: taken.client, clock: id.clock - taken.from }
      : id;
  }

  /** An edit under the names that its ticks have here, without what it deletes; edits come in order. */
  update({ inspected, update }: Pick<PendingEdit, "inspected" | "update">): Uint8Array {
    const { structs, deletes, parts } = inspected;
    for (const { client, clock } of structs) {
      if (this.clients.has(client)) continue;
      const taken =
        clock < this.clockOf(client) ? { client: this.unused(client), from: clock } : null;
      this.clients.set(client, taken);
      this.renames ||= taken !== null;
    }
    if (!this.renames && deletes.length === 0) return update;
    return writeUpdate({ blocks: this.renames ? this.renamed(parts) : parts.blocks, deletes: [] });
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
