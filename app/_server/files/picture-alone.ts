import type { ImageType } from "@/events/core/file-types";

/** Parts of a PNG that say how its pixels are to be shown, and how long each is at most; the last one is its end. */
const pngParts = new Map([
  ["IHDR", 13],
  ["PLTE", 768],
  ["IDAT", Infinity],
  ["IEND", 0],
  ["tRNS", 256],
  ["gAMA", 4],
  ["cHRM", 32],
  ["sRGB", 1],
  ["iCCP", Infinity],
  ["sBIT", 4],
  ["bKGD", 6],
  ["pHYs", 9],
  ["cICP", 4],
]);
const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString("latin1", from, to);

function isPngAlone(bytes: Buffer): boolean {
  const met = new Set<string>();
  let at = 8;
  while (at + 12 <= bytes.length) {
    const part = ascii(bytes, at + 4, at + 8);
    const length = bytes.readUInt32BE(at);
    // One that comes again, or is longer than it can say something, says something else.
    if (length > (pngParts.get(part) ?? -1) || (met.has(part) && part !== "IDAT")) return false;
    met.add(part);
    at += 12 + length;
    if (part === "IEND") return at === bytes.length;
  }
  return false;
}

/** Whether a part of a JPEG before its pixels says how they are to be decoded or shown, and nothing else. */
function isJpegPart(marker: number, bytes: Buffer, from: number, length: number): boolean {
  if (marker === 0xe0) return length === 16 && ascii(bytes, from, from + 5) === "JFIF\0";
  if (marker === 0xe2) return ascii(bytes, from, from + 12) === "ICC_PROFILE\0";
  if (marker === 0xee) return length === 14 && ascii(bytes, from, from + 5) === "Adobe";
  return [0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd].includes(marker);
}

/** Where coded pixels end: at the next marker that is none of theirs. */
function pixelsEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

function isJpegAlone(bytes: Buffer): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (!isJpegPart(marker, bytes, at + 4, length)) return false;
    at += 2 + length;
    if (marker === 0xda) at = pixelsEnd(bytes, at);
  }
  return at + 2 === bytes.length && bytes.readUInt16BE(at) === 0xffd9;
}

/** How long a table of colours is, by the byte that says so. */
const coloursOf = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);

/** Behind the blocks of a GIF that follow each other, the last of which is empty. */
function behindBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) at += size + 1;
  return at + 1;
}

function isGifAlone(bytes: Buffer): boolean {
  let at = 13 + coloursOf(bytes[10] ?? 0);
  while (at < bytes.length) {
    const sign = bytes[at];
    if (sign === 0x3b) return at + 1 === bytes.length;
    if (sign === 0x2c) at = behindBlocks(bytes, at + 11 + coloursOf(bytes[at + 9] ?? 0));
    else if (sign === 0x21 && bytes[at + 1] === 0xf9) at = behindBlocks(bytes, at + 2);
    // How often it is played.
    else if (sign === 0x21 && ascii(bytes, at + 3, at + 14) === "NETSCAPE2.0")
      at = behindBlocks(bytes, at + 2);
    else return false;
  }
  return false;
}

/**
 * Whether the bytes of an image are made of nothing but what shows its pixels: no word of anybody,
 * nothing that is hung in or behind it. What cannot be told is taken to have more.
 */
export function isPictureAlone(bytes: Uint8Array, type: ImageType): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === "image/png") return isPngAlone(view);
  if (type === "image/jpeg") return isJpegAlone(view);
  return type === "image/gif" && isGifAlone(view);
}
