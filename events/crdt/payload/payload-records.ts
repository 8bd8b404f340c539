import { BytesError, equalBytes } from "@/events/core/bytes/bytes";
import type { ByteReader, ByteWriter } from "@/events/core/bytes/bytes";
import {
  readParts,
  readUpdate,
  UpdateError,
  writeParts,
  writeUpdate,
} from "@/events/crdt/updates/yjs-update";
import type { UpdateParts } from "@/events/crdt/updates/yjs-update";
import { relativeSink, relativeSource } from "./payload-clients";
import type { ClientTable } from "./payload-clients";
import { asErased, continuesErasing, erasesOn, readErasing, writeErasing } from "./payload-erasing";
import type { Erased } from "./payload-erasing";
import { structsOf } from "./payload-load";
import {
  asTyped,
  continuesTyping,
  readTyping,
  typesOn,
  writeLetters,
  writeTyping,
} from "./payload-typing";
import type { Typed } from "./payload-typing";

const recordKind = { raw: 0, parts: 1, typing: 2, erasing: 3, typingOn: 4, erasingOn: 5 } as const;
/** The head of a record is its number of edits times this factor, plus its kind. */
const kinds = 8;

/** Consecutive edits that are encoded together in the same way. */
export type Coded =
  | { kind: "raw"; edits: Uint8Array[] }
  | { kind: "parts"; edits: UpdateParts[] }
  | { kind: "typing"; edits: Typed[] }
  | { kind: "erasing"; edits: Erased[]; direction: "back" | "forward" | null };

/** Returns the parts of an update, or null if they do not encode to the same bytes. */
function canonicalParts(update: Uint8Array, read: UpdateParts | undefined): UpdateParts | null {
  try {
    const parts = read ?? readUpdate(update);
    return equalBytes(writeUpdate(parts), update) ? parts : null;
  } catch (error) {
    if (error instanceof UpdateError) return null;
    throw error;
  }
}

/** Adds an edit to the last record if it fits, else to a new one. `read` are its parsed parts. */
export function place(records: Coded[], update: Uint8Array, read?: UpdateParts): void {
  const last = records.at(-1);
  const parts = canonicalParts(update, read);
  if (!parts) {
    if (last?.kind === "raw") last.edits.push(update);
    else records.push({ kind: "raw", edits: [update] });
    return;
  }
  const typed = asTyped(parts);
  if (typed) {
    const before = last?.kind === "typing" ? last.edits.at(-1) : undefined;
    if (last?.kind === "typing" && before && continuesTyping(before, typed)) last.edits.push(typed);
    else records.push({ kind: "typing", edits: [typed] });
    return;
  }
  const erased = asErased(parts);
  if (erased) {
    const before = last?.kind === "erasing" ? last.edits.at(-1) : undefined;
    const way = before ? continuesErasing(before, erased) : null;
    if (last?.kind === "erasing" && way && (last.direction ?? way) === way) {
      last.edits.push(erased);
      last.direction = way;
    } else records.push({ kind: "erasing", edits: [erased], direction: null });
    return;
  }
  if (last?.kind === "parts") last.edits.push(parts);
  else records.push({ kind: "parts", edits: [parts] });
}

/** Writes a record, without the times of its edits. */
export function writeRecord(writer: ByteWriter, table: ClientTable, record: Coded): void {
  const head = (kind: keyof typeof recordKind) =>
    writer.varUint(record.edits.length * kinds + recordKind[kind]);
  if (record.kind === "typing" && typesOn(table, record.edits)) {
    head("typingOn");
    writeLetters(writer, table, record.edits);
    return;
  }
  if (record.kind === "erasing" && erasesOn(table, record.edits)) {
    head("erasingOn");
    return;
  }
  head(record.kind);
  if (record.kind === "typing") writeTyping(writer, table, record.edits);
  else if (record.kind === "erasing")
    writeErasing(writer, table, record.edits, record.direction ?? "back");
  else if (record.kind === "raw") for (const update of record.edits) writer.block(update);
  else for (const parts of record.edits) writeParts(relativeSink(table, writer), parts);
}

/** Counts the pieces (structs) in records. */
export function piecesOf(records: Coded[]): number {
  let pieces = 0;
  for (const record of records) {
    if (record.kind === "typing") pieces += 1;
    else if (record.kind === "parts") for (const parts of record.edits) pieces += structsOf(parts);
    else if (record.kind === "raw") for (const update of record.edits) pieces += rawPieces(update);
  }
  return pieces;
}

/**
 * Counts the structs in bytes that are not a canonical update. Bytes that are no update at all
 * count 0, because no reader accepts them.
 */
function rawPieces(update: Uint8Array): number {
  try {
    return structsOf(readUpdate(update));
  } catch (error) {
    if (error instanceof UpdateError) return 0;
    throw error;
  }
}

/** Splits a record's head into the record's kind and its number of edits. */
export function recordHead(head: number): { kind: number; count: number } {
  return { kind: head % kinds, count: Math.floor(head / kinds) };
}

/** Reads the updates of a record, and counts their pieces. */
export function readRecord(
  reader: ByteReader,
  table: ClientTable,
  kind: number,
  count: number,
): { updates: Uint8Array[]; pieces: number } {
  switch (kind) {
    case recordKind.raw: {
      const updates = Array.from({ length: count }, () => reader.block().slice());
      return { updates, pieces: updates.reduce((sum, update) => sum + rawPieces(update), 0) };
    }
    case recordKind.parts: {
      const source = relativeSource(table, reader);
      let pieces = 0;
      const updates = Array.from({ length: count }, () => {
        const parts = readParts(source);
        pieces += structsOf(parts);
        return writeUpdate(parts);
      });
      return { updates, pieces };
    }
    case recordKind.typing:
    case recordKind.typingOn:
      return { updates: readTyping(reader, table, count, kind === recordKind.typingOn), pieces: 1 };
    case recordKind.erasing:
    case recordKind.erasingOn:
      return {
        updates: readErasing(reader, table, count, kind === recordKind.erasingOn),
        pieces: 0,
      };
    default:
      throw new BytesError("Unknown payload record");
  }
}
