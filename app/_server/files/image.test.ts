import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { imageTypeOf } from "@/events/core/file-types";
import { squarePicture, storedImage } from "./image";

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });
const taken = { exif: { IFD0: { Make: "Camera-7" }, IFD3: { GPSLatitude: "45/1 48/1 0/1" } } };

async function stored(bytes: Uint8Array) {
  const made = await storedImage(bytes);
  if (typeof made === "string") throw new Error(made);
  return made;
}

/** Creates a PNG whose header declares this many pixels, without any pixel data. */
async function promising(side: number): Promise<Uint8Array> {
  const png = await picture(4, 4).png().toBuffer();
  png.writeUInt32BE(side, 16);
  png.writeUInt32BE(side, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

describe("storing an image", () => {
  it.each(["jpeg", "png", "webp", "avif"] as const)(
    "[FILE-20] removes camera metadata: %s",
    async (format) => {
      const given = await picture(40, 20).withExif(taken.exif).toFormat(format).toBuffer();
      expect(given.includes("Camera-7")).toBe(true);
      const { bytes, type, width, height } = await stored(given);
      const head = await sharp(bytes).metadata();
      expect([head.exif, head.xmp, Buffer.from(bytes).includes("Camera-7")]).toEqual([
        undefined,
        undefined,
        false,
      ]);
      expect([type, width, height]).toEqual([`image/${format}`, 40, 20]);
    },
  );

  it("[FILE-20] turns it upright by its EXIF orientation", async () => {
    const given = await picture(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { width, height, bytes } = await stored(given);
    expect([width, height, (await sharp(bytes).metadata()).orientation]).toEqual([
      20,
      40,
      undefined,
    ]);
  });

  it("[FILE-20] drops bytes after its end", async () => {
    for (const format of ["jpeg", "png", "gif"] as const) {
      const whole = await picture(40, 20).toFormat(format).toBuffer();
      const given = Buffer.concat([whole, Buffer.from("<script>alert(1)</script>")]);
      expect(Buffer.from((await stored(given)).bytes).includes("<script>")).toBe(false);
    }
  });

  it("[FILE-21] makes previews of 640 and 1280 pixels if it is wider", async () => {
    const large = await stored(await picture(1500, 300).png().toBuffer());
    const sizes = large.previews.map(({ width, bytes }) => [width, imageTypeOf(bytes)]);
    expect(sizes).toEqual([
      [640, "image/webp"],
      [1280, "image/webp"],
    ]);
    expect((await stored(await picture(640, 10).png().toBuffer())).previews).toEqual([]);
  });

  it("[FILE-20] keeps animation frames", async () => {
    const frames = await Promise.all(
      [10, 200].map((r) => picture(8, 8).tint({ r, g: 0, b: 0 }).png().toBuffer()),
    );
    const given = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { bytes, width, height } = await stored(given);
    expect([(await sharp(bytes, { animated: true }).metadata()).pages, width, height]).toEqual([
      2, 8, 8,
    ]);
  });

  it("[FILE-22] refuses bytes that are no image", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const png = await picture(400, 400).png().toBuffer();
    const hostile = [
      Buffer.from("<html><script>alert(1)</script></html>"),
      Buffer.from(svg),
      Buffer.from("GIF89a<script>alert(1)</script>"),
      Buffer.concat([Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"), randomBytes(500)]),
      png.subarray(0, png.length / 2),
      Buffer.alloc(0),
    ];
    for (const bytes of hostile) expect(await storedImage(bytes)).toBe("not-an-image");
  });

  it("[FILE-22] refuses a header that declares too many pixels", async () => {
    expect(await storedImage(await promising(30_000))).toBe("too-many-pixels");
  });
});

/** Measures the processor time of some work, in milliseconds. */
async function processorOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe("the cost of an image", () => {
  it("[FILE-26] stays near that of one decoding when the bytes are kept", async () => {
    const given = await picture(1_800, 1_800).avif({ effort: 0, quality: 30 }).toBuffer();
    await stored(given);
    const decoding = await processorOf(() => sharp(given).resize({ width: 64 }).raw().toBuffer());
    const looking = await processorOf(() => stored(given));
    expect(looking).toBeLessThan(3 * decoding + 200);
  });
});

describe("the picture of a person", () => {
  it.each([
    // Scaling these images to cover a square would exceed the library's size limits.
    ["a line", 60_000, 1, 1],
    ["a column", 1, 60_000, 1],
    ["a line that is turned", 60_000, 1, 6],
    ["a photograph", 900, 600, 1],
    ["a point", 1, 1, 1],
  ])("[FILE-51] is a square made from %s", async (_, width, height, orientation) => {
    const given = await picture(width, height).withMetadata({ orientation }).png().toBuffer();
    const made = await squarePicture(given, 192);
    if (typeof made === "string") throw new Error(made);
    const head = await sharp(made.bytes).metadata();
    expect([head.format, head.width, head.height]).toEqual(["webp", 192, 192]);
  });
});
