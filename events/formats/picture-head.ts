import { imageTypeOf, mostPixels } from "@/events/core/file-types";
import type { ImageType } from "@/events/core/file-types";

type Size = { width: number; height: number };
type Reader = (view: DataView) => Size | null;

const sign = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((place) => view.getUint8(at + place)));

const sizeOfPng: Reader = (view) =>
  sign(view, 12) === "IHDR" ? { width: view.getUint32(16), height: view.getUint32(20) } : null;

function sizeOfJpeg(view: DataView): Size | null {
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    // Padding before a marker is one byte long.
    at += marker === 0xff ? 1 : isAlone ? 2 : 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Returns a colour table's length, from its packed byte. */
const coloursOf = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

/** Reads a GIF's size. A frame may be larger than the image's declared size. */
function sizeOfGif(view: DataView): Size | null {
  let at = 13 + coloursOf(view.getUint8(10));
  while (view.getUint8(at) === 0x21) {
    at += 2;
    while (view.getUint8(at) > 0) at += view.getUint8(at) + 1;
    at += 1;
  }
  if (view.getUint8(at) !== 0x2c) return null;
  const far = (from: number) =>
    view.getUint16(at + from, true) + view.getUint16(at + from + 4, true);
  const wide = Math.max(view.getUint16(6, true), far(1));
  return { width: wide, height: Math.max(view.getUint16(8, true), far(3)) };
}

function sizeOfWebp(view: DataView): Size | null {
  const kind = sign(view, 12);
  const low = (at: number) => view.getUint32(at, true);
  if (kind === "VP8X") return { width: 1 + (low(23) >>> 8), height: 1 + (low(26) >>> 8) };
  if (kind === "VP8L")
    return { width: 1 + (low(21) & 0x3fff), height: 1 + ((low(21) >>> 14) & 0x3fff) };
  return kind === "VP8 " ? { width: low(26) & 0x3fff, height: (low(26) >>> 16) & 0x3fff } : null;
}

/** The size boxes of an AVIF are before this offset. */
const longestHead = 65_536;

/** Reads an AVIF's size. Of several images in one file, the largest counts. */
function sizeOfAvif(view: DataView): Size | null {
  let size: Size | null = null;
  const last = Math.min(view.byteLength, longestHead) - 16;
  for (let at = 0; at <= last; at += 1) {
    if (view.getUint32(at) !== 0x69737065) continue;
    const [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    if (size === null || width * height > size.width * size.height) size = { width, height };
  }
  return size;
}

const readers: Record<ImageType, Reader> = {
  "image/png": sizeOfPng,
  "image/jpeg": sizeOfJpeg,
  "image/gif": sizeOfGif,
  "image/webp": sizeOfWebp,
  "image/avif": sizeOfAvif,
};

/**
 * Returns an image's number of pixels from its header. Returns null if the bytes are not an image,
 * or if the header is truncated.
 */
export function pixelsOf(bytes: Uint8Array): number | null {
  const type = imageTypeOf(bytes);
  if (type === null) return null;
  try {
    const size = readers[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return size && size.width * size.height;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Whether an image's header declares few enough pixels to decode it. A small file may decompress to
 * more bytes than fit in memory.
 */
export function hasFewPixels(bytes: Uint8Array): boolean {
  return (pixelsOf(bytes) ?? Infinity) <= mostPixels;
}
