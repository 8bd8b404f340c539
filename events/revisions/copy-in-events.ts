import { ByteWriter } from "@/events/core/bytes/bytes";
import { copyInPayload } from "@/events/crdt/payload/copy-in-payload";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { maxClients } from "@/events/crdt/payload/payload-clients";
import { cutText } from "@/events/crdt/updates/split-update";
import { structKind } from "@/events/crdt/updates/yjs-content";
import {
  kindOf,
  originBit,
  readUpdate,
  rightOriginBit,
  UpdateError,
  writeUpdate,
} from "@/events/crdt/updates/yjs-update";
import type { DeleteBlock, Struct, StructBlock } from "@/events/crdt/updates/yjs-update";

/**
 * Limits of each event when a copied state needs several events. `clients` is the payload's limit.
 * All limits are far below those of the log and its readers.
 */
export type PieceLimits = {
  bytes: number;
  structs: number;
  clients: number;
  emptyTicks: number;
  deletes: number;
};

const pieceLimits: PieceLimits = {
  bytes: 384 * 1024,
  structs: 50_000,
  clients: maxClients,
  emptyTicks: 2 ** 19,
  deletes: 50_000,
};
/** The most structs of a copied state. */
export const mostStructs = 20_000_000;

type Placed = { client: number; struct: Struct };

/** One event's share of a copied state: its `update`, and the `clientIds` to declare with it. */
export type ImportedPassage = { update: Uint8Array; clientIds: number[] };

/**
 * Packs the content that a document takes from another (a Yjs state, or its difference from a state
 * vector) into the updates of events, to be appended in this order. `source` is the id of the
 * source stream.
 */
export function copyInEvents(
  state: Uint8Array,
  source: string,
  limits = pieceLimits,
): ImportedPassage[] {
  return splitState(state, limits).map((update) => ({
    update: copyInPayload({ source, payload: encodeEdits([{ update, time: 0 }]) }),
    clientIds: readUpdate(update, mostStructs).blocks.map(({ client }) => client),
  }));
}

/** Returns an empty copy-in, for a source without content. The copy-in still names its source. */
export function copiedEmpty(source: string): ImportedPassage {
  return {
    update: copyInPayload({
      source,
      payload: encodeEdits([{ update: new Uint8Array([0, 0]), time: 0 }]),
    }),
    clientIds: [],
  };
}

/**
 * Splits a state into updates that have the same effect when applied in order. No update depends on
 * a later one.
 */
export function splitState(state: Uint8Array, limits = pieceLimits): Uint8Array[] {
  const { blocks, deletes } = readUpdate(state, mostStructs);
  const cut = blocks.map((block) => ({
    ...block,
    structs: block.structs.flatMap((struct) =>
      cutEmpty(block.client, struct, limits.emptyTicks).flatMap((part) =>
        cutText(block.client, part, limits.bytes),
      ),
    ),
  }));
  const groups = grouped(inOrder(cut), limits);
  const deletions = cutDeletes(deletes, limits);
  const last = groups.at(-1) ?? [];
  const [first] = deletions;
  const together =
    first !== undefined &&
    new Set([...last.flatMap(clientsOf), ...first.map(({ client }) => client)]).size <=
      limits.clients;
  // Deletions depend on the structs that they delete, so they are in the last update.
  return [
    ...groups.map((group, index) =>
      writeUpdate({
        blocks: blocksOf(group),
        deletes: together && index === groups.length - 1 ? first : [],
      }),
    ),
    ...deletions
      .slice(together && groups.length > 0 ? 1 : 0)
      .map((piece) => writeUpdate({ blocks: [], deletes: piece })),
  ];
}

function cutEmpty(client: number, struct: Struct, most: number): Struct[] {
  const kind = kindOf(struct);
  if ((kind !== structKind.gc && kind !== structKind.deleted) || struct.length <= most)
    return [struct];
  const pieces: Struct[] = [];
  for (let at = 0; at < struct.length; at += most) {
    const [clock, length] = [struct.clock + at, Math.min(most, struct.length - at)];
    const content = varUint(length);
    if (at === 0 || kind === structKind.gc) pieces.push({ ...struct, clock, length, content });
    else {
      // Splits the item as Yjs does: the rest depends on the part before it.
      const info = kind | originBit | (struct.rightOrigin ? rightOriginBit : 0);
      pieces.push({
        ...struct,
        info,
        clock,
        length,
        content,
        origin: { client, clock: clock - 1 },
        parent: null,
        rootName: null,
        parentSub: null,
      });
    }
  }
  return pieces;
}

function varUint(value: number): Uint8Array {
  const writer = new ByteWriter();
  writer.varUint(value);
  return writer.result();
}

/** Orders all structs, each after its dependencies. */
function inOrder(blocks: StructBlock[]): Placed[] {
  const waiting = new Map(blocks.map((block) => [block.client, { ...block, next: 0 }]));
  const order: Placed[] = [];
  for (const { client: start } of blocks) {
    const path = [start];
    for (let client = path.at(-1); client !== undefined; client = path.at(-1)) {
      const block = waiting.get(client);
      const struct = block?.structs[block.next];
      if (!block || !struct) {
        path.pop();
        continue;
      }
      const missing = [struct.origin, struct.rightOrigin, struct.parent].find(
        (id) => id && lacks(waiting.get(id.client), id.clock),
      );
      if (missing && path.includes(missing.client))
        throw new UpdateError("Circular dependency in state");
      if (missing) path.push(missing.client);
      else {
        order.push({ client, struct });
        block.next += 1;
        // The struct that required this struct then checks its dependencies again.
        if (path.length > 1) path.pop();
      }
    }
  }
  return order;
}

function lacks(block: (StructBlock & { next: number }) | undefined, clock: number): boolean {
  const next = block?.structs[block.next];
  return next !== undefined && clock >= next.clock;
}

/** Returns the clients that a struct names: its author, and those of its dependencies. */
function clientsOf({ client, struct: { origin, rightOrigin, parent } }: Placed): number[] {
  return [client, ...[origin, rightOrigin, parent].flatMap((id) => (id ? [id.client] : []))];
}

function grouped(order: Placed[], limits: PieceLimits): Placed[][] {
  const groups: Placed[][] = [];
  let [bytes, ticks, clients] = [0, 0, new Set<number>()];
  for (const placed of order) {
    const { struct } = placed;
    const kind = kindOf(struct);
    const empty = kind === structKind.gc || kind === structKind.deleted ? struct.length : 0;
    const met = clientsOf(placed);
    const last = groups.at(-1);
    const full =
      bytes + struct.content.length > limits.bytes ||
      ticks + empty > limits.emptyTicks ||
      (last?.length ?? 0) >= limits.structs ||
      new Set(met.filter((client) => !clients.has(client))).size > limits.clients - clients.size;
    if (last && !full) last.push(placed);
    else {
      groups.push([placed]);
      [bytes, ticks, clients] = [0, 0, new Set()];
    }
    bytes += struct.content.length + 32;
    ticks += empty;
    for (const client of met) clients.add(client);
  }
  return groups;
}

function blocksOf(placed: Placed[]): StructBlock[] {
  const blocks = new Map<number, StructBlock>();
  for (const { client, struct } of placed) {
    const block = blocks.get(client);
    if (block) block.structs.push(struct);
    else blocks.set(client, { client, clock: struct.clock, structs: [struct] });
  }
  return [...blocks.values()];
}

function cutDeletes(
  deletes: DeleteBlock[],
  { deletes: most, clients }: PieceLimits,
): DeleteBlock[][] {
  const pieces: DeleteBlock[][] = [];
  let count = most;
  for (const { client, ranges } of deletes) {
    for (let at = 0; at < ranges.length;) {
      if (count >= most || (pieces.at(-1)?.length ?? 0) >= clients) {
        pieces.push([]);
        count = 0;
      }
      const chunk = ranges.slice(at, at + most - count);
      pieces.at(-1)?.push({ client, ranges: chunk });
      at += chunk.length;
      count += chunk.length;
    }
  }
  return pieces;
}
