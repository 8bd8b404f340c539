import { BytesError } from "@/events/core/bytes/bytes";
import type { ByteReader, ByteWriter } from "@/events/core/bytes/bytes";
import { writeUpdate } from "@/events/crdt/updates/yjs-update";
import type { UpdateParts } from "@/events/crdt/updates/yjs-update";
import { readSlot, relativeSink, relativeSource, writeSlot } from "./payload-clients";
import type { ClientTable } from "./payload-clients";

/** An edit that deletes one range and changes nothing else. */
export type Erased = { client: number; clock: number; length: number };

const flag = { forward: 1, lengths: 16 } as const;

/** Returns the edit as one erased range, or null if the edit changes anything else. */
export function asErased({ blocks, deletes }: UpdateParts): Erased | null {
  const block = deletes[0];
  const range = block?.ranges[0];
  if (!block || !range || blocks.length > 0 || deletes.length > 1 || block.ranges.length > 1)
    return null;
  return range.length === 0 ? null : { client: block.client, ...range };
}

/** Returns the direction in which `next` continues the deletion `last`, or null if it does not. */
export function continuesErasing(last: Erased, next: Erased): "back" | "forward" | null {
  if (next.client !== last.client || (next.length === 1) !== (last.length === 1)) return null;
  if (next.clock + next.length === last.clock) return "back";
  return last.clock + last.length === next.clock ? "forward" : null;
}

/** Whether a run deletes exactly the letters that its client wrote last, from the end backwards. */
export function erasesOn(table: ClientTable, [first, second]: Erased[]): boolean {
  if (first === undefined || first.client !== table.lastClient || first.length !== 1) return false;
  return (
    first.clock === table.next(first.client) - 1 &&
    (second === undefined || second.clock < first.clock)
  );
}

/** Writes a run of erased ranges, without the times of its edits. */
export function writeErasing(
  writer: ByteWriter,
  table: ClientTable,
  run: Erased[],
  direction: "back" | "forward",
): void {
  const first = run[0];
  if (!first) return;
  const lengths = first.length !== 1;
  writeSlot(
    writer,
    table,
    first.client,
    (direction === "forward" ? flag.forward : 0) | (lengths ? flag.lengths : 0),
  );
  relativeSink(table, writer).clock(first.client, first.clock);
  table.lastClient = first.client;
  if (lengths) for (const { length } of run) writer.varUint(length);
}

function erasedUpdates(
  client: number,
  clock: number,
  lengths: number[],
  forward: boolean,
): Uint8Array[] {
  let at = clock;
  return lengths.map((length, index) => {
    if (index > 0) at += forward ? (lengths[index - 1] ?? 0) : -length;
    if (at < 0) throw new BytesError("Clock is out of range");
    return writeUpdate({ blocks: [], deletes: [{ client, ranges: [{ clock: at, length }] }] });
  });
}

/** Reads `count` erased ranges as updates. `on` is true for a run that passed `erasesOn`. */
export function readErasing(
  reader: ByteReader,
  table: ClientTable,
  count: number,
  on: boolean,
): Uint8Array[] {
  if (on) {
    const { client, clock } = table.lastPosition();
    return erasedUpdates(
      client,
      clock - 1,
      Array.from({ length: count }, () => 1),
      false,
    );
  }
  const flags = reader.byte();
  const client = readSlot(reader, table, flags);
  const clock = relativeSource(table, reader).clock(client);
  const lengths = Array.from({ length: count }, () =>
    (flags & flag.lengths) === 0 ? 1 : reader.varUint(),
  );
  table.lastClient = client;
  return erasedUpdates(client, clock, lengths, (flags & flag.forward) !== 0);
}
