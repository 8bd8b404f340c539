import { limits } from "@/events/core/limits";
import { readCopyIn } from "./copy-in-payload";
import { bringsTombstone, readTombstone } from "./tombstone-payload";
import type { UpdateParts } from "@/events/crdt/updates/yjs-update";

/**
 * The third byte of a payload. With its top bit set, the body is plain and the other bits are its
 * first byte. All forms but `deflated` (read, no longer written) bound the payload's load before it
 * is unpacked.
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
 * An upper bound of what an event costs its readers: bytes of its body; pieces (structs that do not
 * continue the letters before them); and whether it only deletes.
 */
type Load = { bytes: number; pieces: number; cuts: boolean };

/** The largest body of a payload, whatever it declares. */
export const maxInflated = limits.payload_bytes;
/** The highest ratio that deflate can reach. */
export const steepest = 1032;
/** The highest compression ratio of a payload of the form `close`. */
const closest = 4;
/** The least bytes of a struct, except empty ones, which Yjs merges. */
const leastPiece = 4;
const header = 3;
const declaration = 8;

/** Whether a payload of `length` bytes bounds its body tightly enough without a declaration. */
export function isClose(length: number, bytes: number, pieces: number): boolean {
  return bytes <= length * closest && pieces <= Math.floor(length / leastPiece) && pieces > 0;
}

/** The eight bytes in which a payload declares its body's size and number of pieces. */
export function declaredLoad(bytes: number, pieces: number): Uint8Array {
  const declared = new Uint8Array(declaration);
  const view = new DataView(declared.buffer);
  view.setUint32(0, bytes);
  view.setUint32(4, pieces);
  return declared;
}

/** The number of structs in an update. */
export function structsOf({ blocks }: UpdateParts): number {
  return blocks.reduce((sum, { structs }) => sum + structs.length, 0);
}

/** The limits that a payload with our header must keep when unpacked, and where its body begins. */
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

/** What the log charges for an event's bytes; the same as the SQL function `private.load_of`. */
export function loadOf(update: Uint8Array): Load {
  const payload = readCopyIn(update)?.payload ?? update;
  const { length } = payload;
  if (bringsTombstone(payload) || readTombstone(payload))
    return { bytes: length, pieces: 0, cuts: true };
  const undeclared = Math.floor(length / leastPiece);
  if (length < header || payload[0] !== 0 || payload[1] !== 0) {
    // One plain Yjs update; it begins with the number of clients with structs.
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
