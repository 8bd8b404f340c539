import { type ImageType, imageTypeOf, mostPixels } from "@/events/core/file-types";

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
    // What fills the room before a marker is as long as itself.
    at += marker === 0xff ? 1 : isAlone ? 2 : 2 + view.getUint16(at + 2);
  }
  return null;
}

/** How long a table of colours is, by the byte that says so. */
const coloursOf = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

/** A frame may be larger than the picture says that it is. */
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

/** The boxes of an AVIF that say a size stand before this. */
const longestHead = 65_536;

/** Of several pictures in one the largest counts. */
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

/** How many pixels an image has, as its head says; null where it is none, or ends within its head. */
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
 * Whether the head of an image says that it has no more pixels than may be, so that it can be
 * decoded: a file of few bytes may unfold to more than there is memory for.
 */
export function hasFewPixels(bytes: Uint8Array): boolean {
  return (pixelsOf(bytes) ?? Infinity) <= mostPixels;
}
