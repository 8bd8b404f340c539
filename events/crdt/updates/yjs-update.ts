import { ByteReader, BytesError, ByteWriter } from "@/events/core/bytes/bytes";
import { safeKey, skipContent, structKind } from "./yjs-content";

export type Id = { client: number; clock: number };
export type Range = Id & { length: number };

/** A struct as encoded in an update. Strings and content are views of the update's bytes. */
export type Struct = {
  info: number;
  clock: number;
  length: number;
  origin: Id | null;
  rightOrigin: Id | null;
  parent: Id | null;
  rootName: Uint8Array | null;
  parentSub: Uint8Array | null;
  content: Uint8Array;
};
export type StructBlock = { client: number; clock: number; structs: Struct[] };
export type DeleteBlock = { client: number; ranges: { clock: number; length: number }[] };
export type UpdateParts = { blocks: StructBlock[]; deletes: DeleteBlock[] };

/** Thrown for bytes that are no Yjs v1 update, or one that none of our clients would write. */
export class UpdateError extends Error {
  override readonly name = "UpdateError";
}

const maxStructs = 100_000;
const maxClock = 2 ** 40;
export const originBit = 0x80;
export const rightOriginBit = 0x40;
export const parentSubBit = 0x20;

/** Returns the kind of a struct, one of `structKind`. */
export function kindOf(struct: { info: number }): number {
  return struct.info & 0x1f;
}

/** Returns the end of a range of clocks. Throws on one that no typing session could reach. */
export function clockAfter(clock: number, length: number): number {
  const end = clock + length;
  if (end > maxClock) throw new BytesError("Clock is out of range");
  return end;
}

/** Reads client ids and clocks. The payload codec implements this with a shorter encoding. */
export type IdSource = {
  readonly reader: ByteReader;
  client(): number;
  clock(client: number, base?: number): number;
  /** Reads a reference from a struct of `owner`. */
  id(owner: number): Id;
  advance(client: number, clock: number): void;
};

/** Writes client ids and clocks. The counterpart of `IdSource`. */
export type IdSink = {
  readonly writer: ByteWriter;
  client(client: number): void;
  clock(client: number, clock: number, base?: number): void;
  id(owner: number, id: Id): void;
  advance(client: number, clock: number): void;
};

function readStruct(source: IdSource, owner: number, clock: number): Struct {
  const { reader } = source;
  const info = reader.byte();
  const kind = kindOf({ info });
  const plain = kind === structKind.gc || kind === structKind.skip;
  const origin = !plain && (info & originBit) !== 0 ? source.id(owner) : null;
  const rightOrigin = !plain && (info & rightOriginBit) !== 0 ? source.id(owner) : null;
  const named = !plain && origin === null && rightOrigin === null;
  const isRoot = named && reader.varUint() === 1;
  const rootName = isRoot ? reader.block() : null;
  if (rootName) safeKey(rootName);
  const parent = named && !isRoot ? source.id(owner) : null;
  const parentSub = named && (info & parentSubBit) !== 0 ? reader.block() : null;
  if (parentSub) safeKey(parentSub);
  const start = reader.position;
  const length = skipContent(reader, kind);
  return {
    info,
    clock,
    length,
    origin,
    rightOrigin,
    parent,
    rootName,
    parentSub,
    content: reader.bytes.subarray(start, reader.position),
  };
}

function readBlocks(source: IdSource, most: number): StructBlock[] {
  const blocks: StructBlock[] = [];
  let structs = 0;
  for (let left = source.reader.varUint(); left > 0; left -= 1) {
    const count = source.reader.varUint();
    structs += count + 1;
    if (structs > most) throw new BytesError("Update has too many structs");
    const client = source.client();
    const block: StructBlock = { client, clock: source.clock(client), structs: [] };
    let clock = block.clock;
    source.advance(client, clock);
    for (let index = 0; index < count; index += 1) {
      const struct = readStruct(source, client, clock);
      clock = clockAfter(clock, struct.length);
      source.advance(client, clock);
      block.structs.push(struct);
    }
    blocks.push(block);
  }
  return blocks;
}

function readDeletes(source: IdSource, most: number): DeleteBlock[] {
  const blocks: DeleteBlock[] = [];
  let ranges = 0;
  for (let left = source.reader.varUint(); left > 0; left -= 1) {
    const block: DeleteBlock = { client: source.client(), ranges: [] };
    const count = source.reader.varUint();
    ranges += count + 1;
    if (ranges > most) throw new BytesError("Update has too many deletions");
    let base: number | undefined;
    for (let index = 0; index < count; index += 1) {
      const range = { clock: source.clock(block.client, base), length: source.reader.varUint() };
      base = clockAfter(range.clock, range.length);
      block.ranges.push(range);
    }
    blocks.push(block);
  }
  return blocks;
}

/** Reads an update's parts from any `IdSource`. Throws BytesError on malformed data. */
export function readParts(source: IdSource, most = maxStructs): UpdateParts {
  return { blocks: readBlocks(source, most), deletes: readDeletes(source, most) };
}

function plainSource(reader: ByteReader): IdSource {
  const number = () => reader.varUint();
  return {
    reader,
    client: number,
    clock: number,
    id: () => ({ client: number(), clock: number() }),
    advance: () => undefined,
  };
}

function plainSink(writer: ByteWriter): IdSink {
  return {
    writer,
    client: (client) => writer.varUint(client),
    clock: (_, clock) => writer.varUint(clock),
    id: (_, { client, clock }) => {
      writer.varUint(client);
      writer.varUint(clock);
    },
    advance: () => undefined,
  };
}

/**
 * Parses a Yjs v1 update of at most `most` structs without applying it. Throws UpdateError on any
 * other bytes.
 */
export function readUpdate(update: Uint8Array, most = maxStructs): UpdateParts {
  try {
    const reader = new ByteReader(update);
    const parts = readParts(plainSource(reader), most);
    if (!reader.done) throw new BytesError("Unexpected data after the update");
    return parts;
  } catch (error) {
    if (error instanceof BytesError) throw new UpdateError(error.message);
    throw error;
  }
}

function writeStruct(sink: IdSink, owner: number, struct: Struct): void {
  const { writer } = sink;
  writer.byte(struct.info);
  if (struct.origin) sink.id(owner, struct.origin);
  if (struct.rightOrigin) sink.id(owner, struct.rightOrigin);
  if (struct.rootName) {
    writer.byte(1);
    writer.block(struct.rootName);
  } else if (struct.parent) {
    writer.byte(0);
    sink.id(owner, struct.parent);
  }
  if (struct.parentSub) writer.block(struct.parentSub);
  writer.write(struct.content);
}

/** Writes an update's parts to any `IdSink`. */
export function writeParts(sink: IdSink, parts: UpdateParts): void {
  const { writer } = sink;
  writer.varUint(parts.blocks.length);
  for (const { client, clock, structs } of parts.blocks) {
    writer.varUint(structs.length);
    sink.client(client);
    sink.clock(client, clock);
    sink.advance(client, clock);
    for (const struct of structs) {
      writeStruct(sink, client, struct);
      sink.advance(client, struct.clock + struct.length);
    }
  }
  writer.varUint(parts.deletes.length);
  for (const { client, ranges } of parts.deletes) {
    sink.client(client);
    writer.varUint(ranges.length);
    let base: number | undefined;
    for (const range of ranges) {
      sink.clock(client, range.clock, base);
      writer.varUint(range.length);
      base = range.clock + range.length;
    }
  }
}

/** Encodes an update as Yjs itself does, with every number in its shortest form. */
export function writeUpdate(parts: UpdateParts): Uint8Array {
  const writer = new ByteWriter();
  writeParts(plainSink(writer), parts);
  return writer.result();
}

/** Returns the update without its deletions. */
export function withoutDeletes(update: Uint8Array): Uint8Array {
  return writeUpdate({ blocks: readUpdate(update).blocks, deletes: [] });
}
