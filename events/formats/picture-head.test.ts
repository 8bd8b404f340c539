import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { hasFewPixels } from "./picture-head";

const shelf = () =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: { r: 9, g: 99, b: 9 } } });
const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const placeOf = (bytes: Uint8Array, sign: string) => Buffer.from(bytes).indexOf(sign, 0, "latin1");
/** Returns the offset of the size in a JPEG's frame header. */
const frameOf = (bytes: Uint8Array) =>
  Math.max(placeOf(bytes, "\u00ff\u00c0"), placeOf(bytes, "\u00ff\u00c2"));

type Change = (bytes: Uint8Array) => void;
type Made = () => Promise<Buffer>;
const kinds: [kind: string, make: Made, enlarge: Change][] = [
  ["PNG", () => shelf().png().toBuffer(), (bytes) => view(bytes).setUint32(16, 900_000)],
  [
    "JPEG",
    () => shelf().withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer(),
    (bytes) => view(bytes).setUint32(frameOf(bytes) + 5, 0xffffffff),
  ],
  ["GIF", () => shelf().gif().toBuffer(), (bytes) => view(bytes).setUint32(6, 0xffffffff)],
  [
    "a frame of a GIF",
    () => shelf().gif().toBuffer(),
    (bytes) =>
      view(bytes).setUint32(placeOf(bytes, "\u002c\0\0\0\0\u002c\u0001\u00c8\0") + 5, 0xffffffff),
  ],
  ["WebP", () => shelf().webp().toBuffer(), (bytes) => view(bytes).setUint32(26, 0x3fff3fff)],
  [
    "WebP without loss",
    () => shelf().webp({ lossless: true }).toBuffer(),
    (bytes) => view(bytes).setUint32(21, 0x0fffffff),
  ],
  [
    "WebP with more in it",
    () => shelf().withMetadata({ orientation: 6 }).webp().toBuffer(),
    (bytes) => view(bytes).setUint32(25, 0xffffffff),
  ],
  [
    "AVIF",
    () => shelf().avif({ effort: 0 }).toBuffer(),
    (bytes) => view(bytes).setUint32(placeOf(bytes, "ispe") + 8, 900_000),
  ],
];

describe("the head of a picture", () => {
  it.each(kinds)("[FORMAT-16] reveals too many pixels: %s", async (_, make, enlarge) => {
    const bytes = new Uint8Array(await make());
    expect(hasFewPixels(bytes)).toBe(true);
    enlarge(bytes);
    expect(hasFewPixels(bytes)).toBe(false);
  });

  it.each(kinds)("[FORMAT-16] is refused if it is cut short: %s", async (_, make) => {
    const bytes = new Uint8Array(await make());
    for (const end of [0, 12, 20]) expect(hasFewPixels(bytes.subarray(0, end))).toBe(false);
  });
});
