import { limits } from "@/events/core/limits";
import { readCopyIn } from "./copy-in-payload";
import { bringsTombstone, readTombstone } from "./tombstone-payload";
import type { UpdateParts } from "@/events/crdt/updates/yjs-update";

/**
 * The third byte of a payload. If its top bit is set, the body is plain and the other bits are the
 * body's first byte. All forms except `deflated` (still read, no longer written) bound the
 * payload's load before it is unpacked.
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
 * An upper bound of the cost of an event for its readers: the bytes of its body, its pieces
 * (structs that do not continue the letters before them), and whether the event only deletes.
 */
type Load = { bytes: number; pieces: number; cuts: boolean };

/** The largest body of a payload in bytes, whatever the payload declares. */
export const maxInflated = limits.payload_bytes;
/** The highest compression ratio that deflate can reach. */
export const steepest = 1032;
/** The highest compression ratio of a payload of the form `close`. */
const closest = 4;
/** The fewest bytes of a struct. Empty structs take less, but Yjs merges them. */
const leastPiece = 4;
const header = 3;
const declaration = 8;

/** Whether a payload of `length` bytes bounds its body tightly enough without a declaration. */
export function isClose(length: number, bytes: number, pieces: number): boolean {
  return bytes <= length * closest && pieces <= Math.floor(length / leastPiece) && pieces > 0;
}

/** Returns the eight bytes in which a payload declares its body's size and number of pieces. */
export function declaredLoad(bytes: number, pieces: number): Uint8Array {
  const declared = new Uint8Array(declaration);
  const view = new DataView(declared.buffer);
  view.setUint32(0, bytes);
  view.setUint32(4, pieces);
  return declared;
}

/** Counts the structs in an update. */
export function structsOf({ blocks }: UpdateParts): number {
  return blocks.reduce((sum, { structs }) => sum + structs.length, 0);
}

/** Returns the limits of a payload with our header when unpacked, and where its body begins. */
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

/** Returns the load that the log charges for an event's bytes, like SQL's `private.load_of`. */
export function loadOf(update: Uint8Array): Load {
  const payload = readCopyIn(update)?.payload ?? update;
  const { length } = payload;
  if (bringsTombstone(payload) || readTombstone(payload))
    return { bytes: length, pieces: 0, cuts: true };
  const undeclared = Math.floor(length / leastPiece);
  if (length < header || payload[0] !== 0 || payload[1] !== 0) {
    // A plain Yjs update begins with the number of clients that have structs.
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
