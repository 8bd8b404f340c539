import { ByteReader, BytesError } from "@/events/core/bytes/bytes";
import type { ByteWriter } from "@/events/core/bytes/bytes";
import { structKind, utf16Length } from "@/events/crdt/updates/yjs-content";
import {
  clockAfter,
  kindOf,
  originBit,
  rightOriginBit,
  writeUpdate,
} from "@/events/crdt/updates/yjs-update";
import type { Id, UpdateParts } from "@/events/crdt/updates/yjs-update";
import { readSlot, relativeSink, relativeSource, writeSlot } from "./payload-clients";
import type { ClientTable } from "./payload-clients";

/** An edit that inserts one string and changes nothing else. */
export type Typed = {
  client: number;
  clock: number;
  origin: Id;
  rightOrigin: Id | null;
  text: Uint8Array;
};
const flag = { jump: 1, origin: 2, lengths: 16 } as const;
/** The source of the right neighbour's id: two bits of a run's flags. */
const right = { none: 0, last: 4, given: 8, beside: 12, mask: 12 } as const;

/** Returns the edit as a typed string, or null if the edit changes anything else. */
export function asTyped({ blocks, deletes }: UpdateParts): Typed | null {
  const block = blocks[0];
  const struct = block?.structs[0];
  if (!block || !struct || blocks.length > 1 || block.structs.length > 1 || deletes.length > 0)
    return null;
  if (kindOf(struct) !== structKind.string || struct.origin === null || (struct.info & 0x20) !== 0)
    return null;
  const text = new ByteReader(struct.content).block();
  return {
    client: block.client,
    clock: block.clock,
    origin: struct.origin,
    rightOrigin: struct.rightOrigin,
    text,
  };
}

function sameId(a: Id | null, b: Id | null): boolean {
  return a?.client === b?.client && a?.clock === b?.clock;
}

function isOneLetter(text: Uint8Array): boolean {
  return letterBytes(text[0] ?? 0) === text.length;
}

function letterBytes(lead: number): number {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Whether `next` continues exactly where `last` ended, so that both fit one run. */
export function continuesTyping(last: Typed, next: Typed): boolean {
  const end = last.clock + utf16Length(last.text);
  return (
    next.client === last.client &&
    next.clock === end &&
    sameId(next.origin, { client: last.client, clock: end - 1 }) &&
    sameId(next.rightOrigin, last.rightOrigin) &&
    isOneLetter(next.text) === isOneLetter(last.text)
  );
}

function rightMode(first: Typed, table: ClientTable): number {
  if (first.rightOrigin === null) return right.none;
  if (sameId(first.rightOrigin, table.lastRight)) return right.last;
  return sameId(first.rightOrigin, { ...first.origin, clock: first.origin.clock + 1 })
    ? right.beside
    : right.given;
}

/** Whether a run continues the previous one with the same writer, caret and right neighbour. */
export function typesOn(table: ClientTable, [first]: Typed[]): boolean {
  return (
    first !== undefined &&
    first.client === table.lastClient &&
    first.clock === table.next(first.client) &&
    sameId(first.origin, { client: first.client, clock: first.clock - 1 }) &&
    sameId(first.rightOrigin, table.lastRight) &&
    isOneLetter(first.text)
  );
}

/** Writes the letters of a run that passed `typesOn`, without the times of its edits. */
export function writeLetters(writer: ByteWriter, table: ClientTable, run: Typed[]): void {
  const first = run[0];
  if (!first) return;
  const { client } = first;
  let { clock } = first;
  for (const { text } of run) {
    writer.write(text);
    clock += utf16Length(text);
  }
  table.advance(client, clock);
  table.lastClient = client;
  table.lastRight = first.rightOrigin;
}

/** Writes a run of typed strings, without the times of its edits. */
export function writeTyping(writer: ByteWriter, table: ClientTable, run: Typed[]): void {
  const first = run[0];
  if (!first) return;
  const { client, clock: start, origin, rightOrigin } = first;
  const lengths = !isOneLetter(first.text);
  const jump = start !== table.next(client);
  const follows = sameId(origin, { client, clock: start - 1 });
  const mode = rightMode(first, table);
  writeSlot(
    writer,
    table,
    client,
    (jump ? flag.jump : 0) | (follows ? 0 : flag.origin) | mode | (lengths ? flag.lengths : 0),
  );
  const sink = relativeSink(table, writer);
  if (jump) sink.clock(client, start);
  table.advance(client, start);
  if (!follows) sink.id(client, origin);
  if (rightOrigin && mode === right.given) sink.id(client, rightOrigin);
  if (lengths) for (const { text } of run) writer.varUint(text.length);
  writeLetters(writer, table, run);
}

function typedUpdate(
  { client, clock, origin, rightOrigin, text }: Typed,
  length: number,
): Uint8Array {
  const content = new Uint8Array(text.length + 8);
  let at = 0;
  for (let rest = text.length; ; rest = Math.floor(rest / 128)) {
    content[at++] = rest >= 128 ? (rest % 128) | 0x80 : rest;
    if (rest < 128) break;
  }
  content.set(text, at);
  const info = structKind.string | originBit | (rightOrigin ? rightOriginBit : 0);
  const struct = {
    info,
    clock,
    length,
    origin,
    rightOrigin,
    parent: null,
    rootName: null,
    parentSub: null,
  };
  const structs = [{ ...struct, content: content.subarray(0, at + text.length) }];
  return writeUpdate({ blocks: [{ client, clock, structs }], deletes: [] });
}

type Caret = { client: number; clock: number; origin: Id; rightOrigin: Id | null };

function readTexts(reader: ByteReader, count: number, lengths: boolean): Uint8Array[] {
  const one = () => reader.take(letterBytes(reader.bytes[reader.position] ?? 0));
  if (!lengths) return Array.from({ length: count }, one);
  return Array.from({ length: count }, () => reader.varUint()).map((length) => reader.take(length));
}

function readCaret(reader: ByteReader, table: ClientTable, flags: number): Caret {
  const client = readSlot(reader, table, flags);
  const source = relativeSource(table, reader);
  const clock = (flags & flag.jump) === 0 ? table.next(client) : source.clock(client);
  table.advance(client, clock);
  const origin = (flags & flag.origin) === 0 ? { client, clock: clock - 1 } : source.id(client);
  const mode = flags & right.mask;
  if (mode === right.none) return { client, clock, origin, rightOrigin: null };
  if (mode === right.last) return { client, clock, origin, rightOrigin: table.lastRight };
  const rightOrigin =
    mode === right.given ? source.id(client) : { ...origin, clock: origin.clock + 1 };
  return { client, clock, origin, rightOrigin };
}

function caretOn(table: ClientTable): Caret {
  const { client, clock } = table.lastPosition();
  return { client, clock, origin: { client, clock: clock - 1 }, rightOrigin: table.lastRight };
}

/** Reads `count` typed strings as updates. `on` is true for a run that passed `typesOn`. */
export function readTyping(
  reader: ByteReader,
  table: ClientTable,
  count: number,
  on: boolean,
): Uint8Array[] {
  const flags = on ? 0 : reader.byte();
  const caret = on ? caretOn(table) : readCaret(reader, table, flags);
  const { client, rightOrigin } = caret;
  let { clock, origin } = caret;
  if (origin.clock < 0) throw new BytesError("Clock is out of range");
  const updates = readTexts(reader, count, (flags & flag.lengths) !== 0).map((text) => {
    const length = utf16Length(text);
    const update = typedUpdate({ client, clock, origin, rightOrigin, text }, length);
    clock = clockAfter(clock, length);
    origin = { client, clock: clock - 1 };
    return update;
  });
  table.advance(client, clock);
  table.lastClient = client;
  table.lastRight = rightOrigin;
  return updates;
}
