import { limits } from "@/events/core/limits";
import { readCopyIn } from "./copy-in-payload";
import { bringsTombstone, readTombstone } from "./tombstone-payload";
import { type UpdateParts } from "@/events/crdt/updates/yjs-update";

/**
 * The third byte of a payload. With its top bit set the body is plain and the other bits are its first byte. All but
 * `deflated`, which is read and no longer written, bound what comes of a payload before anything of it is unpacked.
 */
export const form = {
  plain: 1,
  deflated: 2,
  close: 6,
  declared: 7,
  cuts: 8,
  merged: 0x80,
} as const;

/**
 * What an event costs its readers at most: bytes of its body, pieces (structs that do not go on
 * with the letters before them), and whether it brings nothing, but takes away.
 */
type Load = { bytes: number; pieces: number; cuts: boolean };

/** The body of one payload is never larger, whatever it declares. */
export const maxInflated = limits.payload_bytes;
/** Deflate never unfolds further. */
export const steepest = 1032;
/** A payload of the form `close` unfolds at most so far. */
const closest = 4;
/** A struct takes at least so many bytes, but for the empty ones, which Yjs merges. */
const leastPiece = 4;
const header = 3;
const declaration = 8;

/** Whether a payload of `length` bytes bounds its body well enough without declaring anything. */
export function isClose(length: number, bytes: number, pieces: number): boolean {
  return bytes <= length * closest && pieces <= Math.floor(length / leastPiece) && pieces > 0;
}

/** The eight bytes in which a payload says how large its body is and how many pieces it brings. */
export function declaredLoad(bytes: number, pieces: number): Uint8Array {
  const declared = new Uint8Array(declaration);
  const view = new DataView(declared.buffer);
  view.setUint32(0, bytes);
  view.setUint32(4, pieces);
  return declared;
}

/** The structs that an update brings. */
export function structsOf({ blocks }: UpdateParts): number {
  return blocks.reduce((sum, { structs }) => sum + structs.length, 0);
}

/** What a payload with our header may hold, to be held against what it does hold, and where its body begins. */
export function allowance(payload: Uint8Array): { bytes: number; pieces: number; start: number } {
  const { length } = payload;
  if (payload[2] === form.declared) {
    if (length < header + declaration) return { bytes: 0, pieces: 0, start: length };
    const view = new DataView(payload.buffer, payload.byteOffset, length);
    return {
      bytes: Math.min(maxInflated, view.getUint32(header)),
      pieces: view.getUint32(header + 4),
      start: header + declaration,
    };
  }
  if (payload[2] === form.close)
    return { bytes: length * closest, pieces: Math.floor(length / leastPiece), start: header };
  if (payload[2] === form.cuts) return { bytes: length, pieces: 0, start: header };
  return { bytes: maxInflated, pieces: Infinity, start: header };
}

/** What the log charges for the bytes of an event; the same as the SQL function `private.load_of`. */
export function loadOf(update: Uint8Array): Load {
  const payload = readCopyIn(update)?.payload ?? update;
  const { length } = payload;
  if (bringsTombstone(payload) || readTombstone(payload))
    return { bytes: length, pieces: 0, cuts: true };
  const undeclared = Math.floor(length / leastPiece);
  if (length < header || payload[0] !== 0 || payload[1] !== 0) {
    // One plain Yjs update; it begins with the number of clients that it brings something of.
    const cuts = payload[0] === 0;
    return { bytes: length, pieces: cuts ? 0 : undeclared, cuts };
  }
  if (payload[2] === form.deflated)
    return { bytes: Math.min(maxInflated, length * steepest), pieces: length, cuts: false };
  if (payload[2] === form.declared && length >= header + declaration) {
    const view = new DataView(payload.buffer, payload.byteOffset, length);
    const pieces = view.getUint32(header + 4);
    return { bytes: view.getUint32(header), pieces, cuts: pieces === 0 };
  }
  if (payload[2] === form.close)
    return { bytes: length * closest, pieces: undeclared, cuts: false };
  if (payload[2] === form.cuts) return { bytes: length, pieces: 0, cuts: true };
  return { bytes: length, pieces: undeclared, cuts: false };
}
