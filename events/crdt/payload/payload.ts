import { ByteReader, BytesError, ByteWriter } from "@/events/core/bytes/bytes";
import type { InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import { ClientTable } from "./payload-clients";
import { allowance } from "./payload-load";
import { packed, unpacked } from "./payload-packing";
import { piecesOf, place, readRecord, recordHead, writeRecord } from "./payload-records";
import type { Coded } from "./payload-records";

/** One Yjs v1 update and its time, in milliseconds since the epoch. */
export type Edit = { update: Uint8Array; time: number };

/** An edit to encode. An update that has been inspected is not parsed again. */
type EncodableEdit = Edit & { inspected?: Pick<InspectedUpdate, "parts"> };

/** Thrown for a payload that our encoder did not write, or that unpacks beyond its limits. */
export class PayloadError extends Error {
  override readonly name = "PayloadError";
}

export const frameMs = 16;
const maxEdits = 65_536;
const maxDecoded = 32 * 1024 * 1024;
const maxFrames = 2 ** 32;

/** Returns each edit's distance from the previous edit in frames, at least 0. */
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

/** Writes records and the times of their edits. Returns null if they have too many clients. */
function writeBody(records: Coded[], edits: Edit[]): Uint8Array | null {
  const writer = new ByteWriter();
  const table = new ClientTable();
  const steps = frameSteps(edits);
  let at = 0;
  for (const record of records) {
    writeRecord(writer, table, record);
    if (table.overflows) return null;
    // The first edit has the time at which the payload starts, so it has no step.
    for (const step of steps.slice(Math.max(at, 1), at + record.edits.length)) writer.varUint(step);
    at += record.edits.length;
  }
  return writer.result();
}

/**
 * Packs Yjs v1 updates and their times into the bytes of one event. Decoding returns the updates
 * byte for byte. Times are rounded to 16 ms frames after the first edit, whose time must be the
 * event's `clientTime`.
 */
export function encodeEdits(edits: EncodableEdit[]): Uint8Array {
  if (edits.length > maxEdits) throw new PayloadError(`An event holds at most ${maxEdits} edits`);
  const coded: Coded[] = [];
  for (const { update, inspected } of edits) place(coded, update, inspected?.parts);
  const written = writeBody(coded, edits);
  // Edits with more clients than a payload may have, such as a deletion of text by thousands of
  // writers, are stored raw.
  const records: Coded[] = written
    ? coded
    : [{ kind: "raw", edits: edits.map(({ update }) => update) }];
  const body = written ?? writeBody(records, edits) ?? new Uint8Array();
  const payload = packed(body, piecesOf(records));
  const only = edits.length === 1 ? edits[0]?.update : undefined;
  return only && only.length <= payload.length && !hasHeader(only) ? only.slice() : payload;
}

/**
 * Whether a payload has our header. No Yjs update begins with these bytes, because two zeros are
 * already the complete empty update.
 */
export function hasHeader(payload: Uint8Array): boolean {
  return payload.length > 2 && payload[0] === 0 && payload[1] === 0;
}

function readBody(body: Uint8Array, start: number, mostPieces: number): Edit[] {
  const reader = new ByteReader(body);
  const table = new ClientTable();
  const edits: Edit[] = [];
  let frame = 0;
  let size = 0;
  let brought = 0;
  while (!reader.done) {
    const { kind, count } = recordHead(reader.varUint());
    if (count === 0 || edits.length + count > maxEdits)
      throw new PayloadError("Payload has no edits or too many");
    const { updates, pieces } = readRecord(reader, table, kind, count);
    brought += pieces;
    if (brought > mostPieces) throw new PayloadError("Payload exceeds its declared load");
    for (const update of updates) {
      size += update.length;
      edits.push({ update, time: 0 });
    }
    if (size > maxDecoded) throw new PayloadError("Payload expands beyond 32 MiB");
    for (const edit of edits.slice(-count)) {
      if (edit !== edits[0]) frame += reader.varUint();
      if (frame > maxFrames) throw new PayloadError("Payload spans too long a time");
      edit.time = start + frame * frameMs;
    }
  }
  return edits;
}

/**
 * Unpacks a payload of `encodeEdits`. `start` is the event's `clientTime` in milliseconds. A
 * payload without our header is one plain Yjs v1 update made at `start`. Throws PayloadError on any
 * other bytes, and on content beyond the declared load.
 */
export function decodeEdits(payload: Uint8Array, start: number): Edit[] {
  if (!hasHeader(payload)) return [{ update: payload, time: start }];
  try {
    const { bytes, pieces, start: bodyStart } = allowance(payload);
    return readBody(unpacked(payload, bytes, bodyStart), start, pieces);
  } catch (error) {
    if (error instanceof BytesError) throw new PayloadError(error.message);
    throw error;
  }
}
