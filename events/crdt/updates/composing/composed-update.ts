import { appendAll } from "@/events/core/append-all";
import { ByteReader, ByteWriter } from "@/events/core/bytes/bytes";
import { ClockRanges } from "../clock-ranges";
import { structKind } from "../yjs-content";
import {
  clockAfter,
  kindOf,
  originBit,
  readUpdate,
  rightOriginBit,
  writeUpdate,
} from "../yjs-update";
import type { DeleteBlock, Struct, StructBlock } from "../yjs-update";

const kindBits = 0x1f;

/**
 * Merges the updates of one composition, in order, into one. Letters that were typed and deleted
 * during the composition keep their clocks and places, so that dependent structs still apply, but
 * have no content. Returns null if the updates are not consecutive.
 */
export function composedUpdate(updates: readonly Uint8Array[]): Uint8Array | null {
  const blocks = new Map<number, StructBlock>();
  const deletes = new Map<number, DeleteBlock>();
  const deleted = new ClockRanges();
  for (const parts of updates.map((update) => readUpdate(update))) {
    for (const { client, clock, structs } of parts.blocks) {
      const known = blocks.get(client);
      if (!known) blocks.set(client, { client, clock, structs: [...structs] });
      else if (endOf(known) === clock) appendAll(known.structs, structs);
      else return null;
    }
    for (const { client, ranges } of parts.deletes) {
      const known = deletes.get(client);
      if (known) appendAll(known.ranges, ranges);
      else deletes.set(client, { client, ranges: [...ranges] });
    }
  }
  for (const block of deletes.values()) {
    block.ranges = joined(block.ranges);
    for (const range of block.ranges) deleted.add({ client: block.client, ...range });
  }
  for (const block of blocks.values())
    block.structs = block.structs.flatMap((struct) =>
      withoutDeleted(block.client, struct, deleted),
    );
  return writeUpdate({ blocks: [...blocks.values()], deletes: [...deletes.values()] });
}

function endOf({ clock, structs }: StructBlock): number {
  const last = structs.at(-1);
  return last ? clockAfter(last.clock, last.length) : clock;
}

/** Returns the ranges sorted and merged. */
function joined(ranges: DeleteBlock["ranges"]): DeleteBlock["ranges"] {
  const result: DeleteBlock["ranges"] = [];
  for (const { clock, length } of ranges.toSorted((a, b) => a.clock - b.clock)) {
    const last = result.at(-1);
    if (last && clock <= last.clock + last.length)
      last.length = Math.max(last.length, clock + length - last.clock);
    else result.push({ clock, length });
  }
  return result;
}

/** Splits a string struct where deleted ranges begin and end. Any other struct stays whole. */
function withoutDeleted(client: number, struct: Struct, deleted: ClockRanges): Struct[] {
  if (kindOf(struct) !== structKind.string) return [struct];
  const { clock, length } = struct;
  const { inside, outside } = deleted.parts({ client, clock, length });
  if (inside.length === 0) return [struct];
  const text = new TextDecoder().decode(new ByteReader(struct.content).block());
  return [
    ...inside.map((range) => ({ ...range, isDeleted: true })),
    ...outside.map((range) => ({ ...range, isDeleted: false })),
  ]
    .sort((a, b) => a.clock - b.clock)
    .map((piece) => {
      const kind = piece.isDeleted ? structKind.deleted : structKind.string;
      const at = piece.clock - clock;
      const content = piece.isDeleted
        ? lengthContent(piece.length)
        : stringContent(text.slice(at, at + piece.length));
      return { ...placed(client, struct, piece.clock, kind), length: piece.length, content };
    });
}

/** Returns the rest of a struct from one of its clocks on, as Yjs itself splits an item. */
function placed(client: number, struct: Struct, clock: number, kind: number): Struct {
  if (clock === struct.clock) return { ...struct, info: (struct.info & ~kindBits) | kind };
  return {
    ...struct,
    info: kind | originBit | (struct.rightOrigin ? rightOriginBit : 0),
    clock,
    origin: { client, clock: clock - 1 },
    parent: null,
    rootName: null,
    parentSub: null,
  };
}

function lengthContent(length: number): Uint8Array {
  const writer = new ByteWriter();
  writer.varUint(length);
  return writer.result();
}

function stringContent(text: string): Uint8Array {
  const writer = new ByteWriter();
  writer.block(new TextEncoder().encode(text));
  return writer.result();
}
