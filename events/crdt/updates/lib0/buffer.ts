import { encode, writeAny, type Encoder } from "lib0/encoding";

/*
 * What Yjs and its editor binding use of lib0/buffer, which a browser gets in its place (next.config.ts): the original
 * names Node's Buffer, for which a bundler brings a whole implementation that no browser ever calls.
 */

export { toBase64 } from "@/events/core/base64";

/** The same bytes in a buffer of their own. */
export function copyUint8Array(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/** A plain value in lib0's own encoding. */
export function encodeAny(data: Parameters<typeof writeAny>[1]): Uint8Array {
  return encode((encoder: Encoder) => writeAny(encoder, data));
}
