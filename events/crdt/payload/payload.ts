import { deflateSync, Inflate, inflateSync } from "fflate";
import { ByteReader, BytesError, ByteWriter, equalBytes } from "@/events/core/bytes";
import { ClientTable, relativeSink, relativeSource } from "./payload-clients";
import { payloadDictionary } from "./payload-dictionary";
import {
  asErased,
  asTyped,
  continuesErasing,
  continuesTyping,
  erasesOn,
  type Erased,
  readErasing,
  readTyping,
  type Typed,
  typesOn,
  writeErasing,
  writeLetters,
  writeTyping,
} from "./payload-runs";
import {
  allowance,
  declaredLoad,
  form,
  isClose,
  maxInflated,
  steepest,
  structsOf,
} from "./payload-load";
import {
  readParts,
  readUpdate,
  UpdateError,
  type UpdateParts,
  writeParts,
  writeUpdate,
} from "@/events/crdt/updates/yjs-update";

/** One single Yjs v1 update and when it was made, in milliseconds since the epoch. */
export type Edit = { update: Uint8Array; time: number };

/** Thrown for a payload that no encoder of ours wrote, or that would unfold beyond all measure. */
export class PayloadError extends Error {
  override readonly name = "PayloadError";
}

export const frameMs = 16;
const maxEdits = 65_536;
const maxDecoded = 32 * 1024 * 1024;
const maxFrames = 2 ** 32;
const inflateSlice = 2048;
const unfolds = "A payload unfolds beyond what it says, or beyond 8 MiB.";
const recordKind = { raw: 0, parts: 1, typing: 2, erasing: 3, typingOn: 4, erasingOn: 5 } as const;
const kinds = 8;

type Coded =
  | { kind: "raw"; edits: Uint8Array[] }
  | { kind: "parts"; edits: UpdateParts[] }
  | { kind: "typing"; edits: Typed[] }
  | { kind: "erasing"; edits: Erased[]; direction: "back" | "forward" | null };

function partsOf(update: Uint8Array): UpdateParts | null {
  try {
    const parts = readUpdate(update);
    return equalBytes(writeUpdate(parts), update) ? parts : null;
  } catch (error) {
    if (error instanceof UpdateError) return null;
    throw error;
  }
}

/** Puts one more edit into the last record if it fits there, else into a record of its own. */
function place(records: Coded[], update: Uint8Array): void {
  const last = records.at(-1);
  const parts = partsOf(update);
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

function writeRecord(writer: ByteWriter, table: ClientTable, record: Coded): void {
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

/** Each edit's distance from the one before, in frames; time never runs backwards. */
function frameSteps(edits: Edit[]): number[] {
  const start = edits[0]?.time ?? 0;
  let frame = 0;
  return edits.map(({ time }) => {
    const next = Math.min(Math.max(frame, Math.round((time - start) / frameMs)), maxFrames);
    const step = next - frame;
    frame = next;
    return step;
  });
}

function withHeader(
  kind: number,
  body: Uint8Array,
  declared: Uint8Array = new Uint8Array(),
): Uint8Array {
  const payload = new Uint8Array(body.length + declared.length + 3);
  payload[2] = kind;
  payload.set(declared, 3);
  payload.set(body, declared.length + 3);
  return payload;
}

function plain(body: Uint8Array, pieces: number): Uint8Array {
  if (pieces === 0) return withHeader(form.cuts, body);
  const first = body[0];
  if (first === undefined || first >= form.merged) return withHeader(form.plain, body);
  return withHeader(form.merged | first, body.subarray(1));
}

/** Deflates a body into the shortest form that says as much as the log has to know of what comes of it. */
function deflated(body: Uint8Array, pieces: number): Uint8Array {
  const squeezed = deflateSync(body, { level: 9, dictionary: payloadDictionary });
  const close = withHeader(form.close, squeezed);
  return isClose(close.length, body.length, pieces)
    ? close
    : withHeader(form.declared, squeezed, declaredLoad(body.length, pieces));
}

function piecesOf(records: Coded[]): number {
  let pieces = 0;
  for (const record of records) {
    if (record.kind === "typing") pieces += 1;
    else if (record.kind === "parts") for (const parts of record.edits) pieces += structsOf(parts);
    else if (record.kind === "raw") for (const update of record.edits) pieces += rawPieces(update);
  }
  return pieces;
}

/** What bytes that are no canonical update bring; none where they are no update at all, for nobody takes them in. */
function rawPieces(update: Uint8Array): number {
  try {
    return structsOf(readUpdate(update));
  } catch (error) {
    if (error instanceof UpdateError) return 0;
    throw error;
  }
}

/** Writes records and the times of their edits; null where they speak of too many clients. */
function writeBody(records: Coded[], edits: Edit[]): Uint8Array | null {
  const writer = new ByteWriter();
  const table = new ClientTable();
  const steps = frameSteps(edits);
  let at = 0;
  for (const record of records) {
    writeRecord(writer, table, record);
    if (table.overflows) return null;
    // The first edit is the payload's own beginning: it has no step.
    for (const step of steps.slice(Math.max(at, 1), at + record.edits.length)) writer.varUint(step);
    at += record.edits.length;
  }
  return writer.result();
}

/**
 * Packs single Yjs v1 updates and their times into the bytes of one event. Lossless for the updates to the byte; times
 * are kept to a frame of 16 ms after the first edit's, which must be the event's `clientTime`.
 */
export function encodeEdits(edits: Edit[]): Uint8Array {
  if (edits.length > maxEdits) throw new PayloadError(`One event holds at most ${maxEdits} edits.`);
  const coded: Coded[] = [];
  for (const { update } of edits) place(coded, update);
  const written = writeBody(coded, edits);
  // Edits that speak of more clients than a payload may, such as the deletion of what thousands
  // wrote, go in as they are.
  const records: Coded[] = written
    ? coded
    : [{ kind: "raw", edits: edits.map(({ update }) => update) }];
  const body = written ?? writeBody(records, edits) ?? new Uint8Array();
  const pieces = piecesOf(records);
  const [squeezed, loose] = [deflated(body, pieces), plain(body, pieces)];
  const packed = squeezed.length < loose.length ? squeezed : loose;
  const only = edits.length === 1 ? edits[0]?.update : undefined;
  return only && only.length <= packed.length && !hasHeader(only) ? only.slice() : packed;
}

/** Whether a payload is ours. No Yjs update begins like this: two zeros are the empty update and end there. */
export function hasHeader(payload: Uint8Array): boolean {
  return payload.length > 2 && payload[0] === 0 && payload[1] === 0;
}

function inflateStream(bytes: Uint8Array, most: number): Uint8Array {
  const writer = new ByteWriter();
  const stream = new Inflate({ dictionary: payloadDictionary }, (chunk) => {
    if (writer.length + chunk.length > most) throw new PayloadError(unfolds);
    writer.write(chunk);
  });
  for (let at = 0; at < bytes.length; at += inflateSlice) {
    stream.push(bytes.subarray(at, at + inflateSlice), at + inflateSlice >= bytes.length);
  }
  return writer.result();
}

function inflate(bytes: Uint8Array, most: number): Uint8Array {
  try {
    // Deflate never unfolds beyond 1032 times, so that a short payload needs no watching while it is read.
    if (bytes.length * steepest > maxInflated) return inflateStream(bytes, most);
    // What would go beyond one byte too many is not kept.
    const out = most < bytes.length * steepest ? { out: new Uint8Array(most + 1) } : {};
    const body = inflateSync(bytes, { dictionary: payloadDictionary, ...out });
    if (body.length > most) throw new PayloadError(unfolds);
    return body;
  } catch (error) {
    if (error instanceof PayloadError) throw error;
    throw new PayloadError("A payload is not well compressed.");
  }
}

/** The updates of a record, and how many pieces they bring. */
function readRecord(
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
      throw new PayloadError("A payload holds a record of an unknown kind.");
  }
}

function readBody(body: Uint8Array, start: number, mostPieces: number): Edit[] {
  const reader = new ByteReader(body);
  const table = new ClientTable();
  const edits: Edit[] = [];
  let frame = 0;
  let size = 0;
  let brought = 0;
  while (!reader.done) {
    const head = reader.varUint();
    const count = Math.floor(head / kinds);
    if (count === 0 || edits.length + count > maxEdits)
      throw new PayloadError("A payload has an impossible number of edits.");
    const { updates, pieces } = readRecord(reader, table, head % kinds, count);
    brought += pieces;
    if (brought > mostPieces) throw new PayloadError("A payload brings more than it says.");
    for (const update of updates) {
      size += update.length;
      edits.push({ update, time: 0 });
    }
    if (size > maxDecoded) throw new PayloadError("A payload unfolds beyond 32 MiB.");
    for (const edit of edits.slice(-count)) {
      if (edit !== edits[0]) frame += reader.varUint();
      if (frame > maxFrames) throw new PayloadError("A payload spans an impossible time.");
      edit.time = start + frame * frameMs;
    }
  }
  return edits;
}

function bodyOf(payload: Uint8Array, bytes: number, start: number): Uint8Array {
  const kind = payload[2] ?? 0;
  if (kind === form.deflated || kind === form.close || kind === form.declared)
    return inflate(payload.subarray(start), bytes);
  if (kind === form.plain || kind === form.cuts) return payload.subarray(start);
  if (kind < form.merged)
    throw new PayloadError("A payload is of a format that this version does not know.");
  const body = payload.slice(2);
  body[0] = kind & 0x7f;
  return body;
}

/**
 * Unpacks what `encodeEdits` packed; `start` is the event's `clientTime` in milliseconds. A payload without our header
 * is one plain Yjs v1 update made at `start`. Throws PayloadError on anything that is neither, or more than it says.
 */
export function decodeEdits(payload: Uint8Array, start: number): Edit[] {
  if (!hasHeader(payload)) return [{ update: payload, time: start }];
  try {
    const { bytes, pieces, start: bodyStart } = allowance(payload);
    return readBody(bodyOf(payload, bytes, bodyStart), start, pieces);
  } catch (error) {
    if (error instanceof BytesError) throw new PayloadError(error.message);
    throw error;
  }
}
