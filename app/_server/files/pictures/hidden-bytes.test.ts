import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { imageTypeOf } from "@/events/core/file-types";
import { storedImage } from "../image";
import { barePicture } from "./bare-picture";
import { boxBytes, boxesIn } from "./iso-boxes";

const hidden = "taken at 45.81, 15.98";
const noise = Buffer.from(Uint8Array.from({ length: 96 * 64 * 4 }, (_, at) => (at * at * 7) % 251));
const picture = () => sharp(noise, { raw: { width: 96, height: 64, channels: 4 } });
const exif = { IFD0: { ImageDescription: hidden } };

const pixels = (bytes: Uint8Array) =>
  sharp(bytes, { animated: true }).ensureAlpha().raw().toBuffer();

async function stored(bytes: Uint8Array): Promise<Buffer> {
  const made = await storedImage(bytes);
  if (typeof made === "string") throw new Error(made);
  return Buffer.from(made.bytes);
}

/** Expects that the stored image has the same pixels and contains none of the hidden text. */
async function expectPixelsAlone(given: Buffer): Promise<void> {
  const made = await stored(given);
  expect(made.includes("45.81")).toBe(false);
  expect(Buffer.compare(await pixels(made), await pixels(given))).toBe(0);
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Builds a WebP from chunks. */
function riff(parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from("WEBP"), ...parts]);
  const head = Buffer.from("RIFF\0\0\0\0", "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

function partsOf(webp: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 12; at + 8 <= webp.length;) {
    const length = 8 + webp.readUInt32LE(at + 4);
    parts.push(webp.subarray(at, at + length + (length % 2)));
    at += length + (length % 2);
  }
  return parts;
}

async function moving(): Promise<Buffer> {
  const frames = await Promise.all(
    [10, 200].map((r) => picture().tint({ r, g: 0, b: 0 }).png().toBuffer()),
  );
  return sharp(frames, { join: { animated: true } })
    .webp({ lossless: true })
    .toBuffer();
}

const webps = {
  lossy: () => picture().flatten().webp().toBuffer(),
  lossless: () => picture().webp({ lossless: true }).toBuffer(),
  "with alpha": () => picture().webp({ quality: 60 }).toBuffer(),
  "with a profile": () => picture().withIccProfile("p3").webp().toBuffer(),
  moving,
};
const avifs = {
  plain: () => picture().flatten().avif({ effort: 0 }).toBuffer(),
  "with alpha": () => picture().avif({ effort: 0 }).toBuffer(),
  "with a profile": () => picture().flatten().withIccProfile("p3").avif({ effort: 0 }).toBuffer(),
};
const property = { numRuns: 12 };

describe("a stored WebP", () => {
  it.each(Object.keys(webps) as (keyof typeof webps)[])(
    "[FILE-28] keeps its pixels, and nothing hidden among or behind them: %s",
    async (kind) => {
      const given = await webps[kind]();
      expect(barePicture(given, "image/webp")?.length).toBe(given.length);
      const parts = partsOf(given);
      const names = fc.constantFrom("EXIF", "XMP ", "abcd", "ALPH", "ICCP", "VP8 ", "VP8X");
      await fc.assert(
        fc.asyncProperty(
          names,
          fc.nat(parts.length - 1),
          fc.boolean(),
          async (name, at, behind) => {
            const extra = chunk(name, Buffer.from(hidden));
            const mixed = [...parts.slice(0, at + 1), extra, ...parts.slice(at + 1)];
            const made = riff(mixed);
            const bytes = behind ? Buffer.concat([made, Buffer.from(hidden)]) : made;
            // The test skips bytes that the library does not decode as an image.
            const isImage = await pixels(bytes).then(
              () => true,
              () => false,
            );
            if (isImage) await expectPixelsAlone(bytes);
          },
        ),
        property,
      );
    },
  );

  it("[FILE-28] has nothing hidden in its frames or reserved bytes", async () => {
    const parts = partsOf(await moving()).map((part) => {
      if (part.toString("latin1", 0, 4) !== "ANMF") return part;
      const content = part.subarray(8, 8 + part.readUInt32LE(4));
      return chunk("ANMF", Buffer.concat([content, chunk("abcd", Buffer.from(hidden))]));
    });
    const [extended] = parts;
    extended?.write("abc", 9, "latin1");
    const made = await stored(riff(parts));
    expect([made.includes("45.81"), made.includes("abc")]).toEqual([false, false]);
  });

  it("[FILE-28] carries no EXIF", async () => {
    const given = await picture().withExif(exif).webp({ lossless: true }).toBuffer();
    expect(given.includes("45.81")).toBe(true);
    await expectPixelsAlone(given);
    expect((await sharp(await stored(given)).metadata()).exif).toBeUndefined();
  });
});

/** Returns an AVIF with its `meta` box's children changed and the pixel offsets adjusted. */
function withinMeta(avif: Buffer, put: (children: Buffer[]) => Buffer[]): Buffer {
  const boxes = boxesIn(avif);
  const meta = boxes.find(({ type }) => type === "meta")?.content ?? Buffer.of();
  const children = boxesIn(meta.subarray(4)).map(({ type, content }) => boxBytes(type, content));
  const longer = put(children).reduce((sum, { length }) => sum + length, 4) - meta.length;
  const moved = put(children.map((child) => movedPlaces(child, longer)));
  return Buffer.concat(
    boxes.map(({ type, content }) =>
      type === "meta" ? boxBytes("meta", meta.subarray(0, 4), ...moved) : boxBytes(type, content),
    ),
  );
}

/** Returns libheif's `iloc` box with all offsets shifted. */
function movedPlaces(box: Buffer, by: number): Buffer {
  if (box.toString("latin1", 4, 8) !== "iloc") return box;
  const moved = Buffer.from(box);
  const [version, sizes] = [moved[8] ?? 0, moved.readUInt16BE(12)];
  expect([version, sizes & 0xff00]).toEqual([expect.any(Number), 0x4400]);
  const baseSize = (sizes >> 4) & 15;
  let at = 16;
  for (let left = moved.readUInt16BE(14); left > 0; left -= 1) {
    at += 2 + (version > 0 ? 2 : 0) + 2 + baseSize;
    for (let extents = moved.readUInt16BE(at), place = 0; place < extents; place += 1)
      moved.writeUInt32BE(moved.readUInt32BE(at + 2 + place * 8) + by, at + 2 + place * 8);
    at += 2 + 8 * moved.readUInt16BE(at);
  }
  return moved;
}

describe("a stored AVIF", () => {
  it.each(Object.keys(avifs) as (keyof typeof avifs)[])(
    "[FILE-28] has nothing hidden in its boxes, between its pixels or behind them: %s",
    async (kind) => {
      const given = await avifs[kind]();
      expect(barePicture(given, "image/avif")).not.toBeNull();
      await expectPixelsAlone(given);
      const extra = boxBytes("free", Buffer.from(hidden));
      const unknown = boxBytes("uuid", Buffer.from(hidden));
      const inMeta = (at: number, box: Buffer) =>
        withinMeta(given, (children) => [...children.slice(0, at), box, ...children.slice(at)]);
      const ways = [
        Buffer.concat([given, Buffer.from(hidden)]),
        Buffer.concat([given, extra]),
        Buffer.concat([given, boxBytes("mdat", Buffer.from(hidden))]),
        inMeta(1, extra),
        inMeta(2, unknown),
        inMeta(5, boxBytes("idat", Buffer.from(hidden))),
        withinMeta(given, (children) =>
          children.map((child) =>
            child.toString("latin1", 4, 8) === "hdlr"
              ? boxBytes("hdlr", child.subarray(8, 32), Buffer.from(`${hidden}\0`))
              : child,
          ),
        ),
      ];
      for (const bytes of ways) {
        expect(bytes.includes("45.81")).toBe(true);
        await expectPixelsAlone(bytes);
      }
    },
  );

  it("[FILE-28] carries no EXIF, and nothing hidden in padding units", async () => {
    const taken = await picture().flatten().withExif(exif).avif({ effort: 0 }).toBuffer();
    expect(taken.includes("45.81")).toBe(true);
    await expectPixelsAlone(taken);
    const given = await avifs.plain();
    // A padding unit (15) with its size follows the picture's own units. The item ends at the end
    // of the file.
    const padding = Buffer.concat([
      Buffer.of(0x7a, hidden.length + 1),
      Buffer.from(hidden),
      Buffer.of(0x80),
    ]);
    const items = withinMeta(given, (children) => children);
    const longer = Buffer.concat([items, padding]);
    const mdat = longer.indexOf("mdat") - 4;
    longer.writeUInt32BE(longer.readUInt32BE(mdat) + padding.length, mdat);
    const iloc = longer.indexOf("iloc") - 4;
    const size = longer.readUInt32BE(iloc);
    // The last four bytes of the box are the length of the only extent.
    const length = longer.readUInt32BE(iloc + size - 4);
    longer.writeUInt32BE(length + padding.length, iloc + size - 4);
    await expectPixelsAlone(longer);
    expect(Buffer.compare(await pixels(longer), await pixels(given))).toBe(0);
  });

  it("[FILE-28] does not pass as bare with an unknown structure, and never throws", async () => {
    const given = await avifs.plain();
    const strange = Buffer.from(given);
    strange.write("iXXf", strange.indexOf("iinf"), "latin1");
    expect(barePicture(strange, "image/avif")).toBeNull();
    for (let cut = 0; cut < given.length; cut += 7)
      expect(() => barePicture(given.subarray(0, cut), "image/avif")).not.toThrow();
    expect(imageTypeOf(await stored(given))).toBe("image/avif");
  });
});
