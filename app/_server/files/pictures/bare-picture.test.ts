import { crc32 } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { imageTypeOf } from "@/events/core/file-types";
import { storedImage } from "../image";
import { isPictureAlone } from "./bare-picture";

/** Noise, whose encodings differ in every format. */
const pixels = Buffer.from(
  Uint8Array.from({ length: 120 * 80 * 3 }, (_, at) => (at * at * 7) % 251),
);
const picture = () => sharp(pixels, { raw: { width: 120, height: 80, channels: 3 } });

async function bytesOf(given: Uint8Array, isRestored: boolean): Promise<Buffer> {
  const made = await storedImage(given, isRestored);
  if (typeof made === "string") throw new Error(made);
  return Buffer.from(made.bytes);
}

const formats = ["jpeg", "png", "gif", "webp", "avif"] as const;

describe("an image restored from a bundle", () => {
  it.each(formats)("[FILE-25] keeps its stored bytes: %s", async (format) => {
    const stored = await bytesOf(await picture().toFormat(format).toBuffer(), false);
    expect(Buffer.compare(await bytesOf(stored, true), stored)).toBe(0);
  });

  it("[FILE-25] keeps its stored bytes when animated, with a palette or a colour profile", async () => {
    const frames = await Promise.all(
      [10, 200].map((r) => picture().tint({ r, g: 0, b: 0 }).png().toBuffer()),
    );
    const given = [
      await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
      await picture().png({ palette: true }).toBuffer(),
      await picture().withIccProfile("p3").jpeg({ progressive: true }).toBuffer(),
    ];
    for (const each of given) {
      const stored = await bytesOf(each, false);
      expect(Buffer.compare(await bytesOf(stored, true), stored)).toBe(0);
    }
  });

  it.each(formats.slice(0, 3))(
    "[FILE-25] is encoded again if it holds metadata or trailing bytes: %s",
    async (format) => {
      const stored = await bytesOf(await picture().toFormat(format).toBuffer(), false);
      const behind = Buffer.concat([stored, Buffer.from("<script>alert(1)</script>")]);
      expect((await bytesOf(behind, true)).includes("<script>")).toBe(false);
      const exif = { IFD0: { Make: "Camera-7" } };
      if (format === "gif") return;
      const taken = await picture().withExif(exif).toFormat(format).toBuffer();
      expect((await bytesOf(taken, true)).includes("Camera-7")).toBe(false);
    },
  );

  it("[FILE-25] does not pass as bare with a comment or without its end", async () => {
    const [jpeg, gif, png] = await Promise.all(
      (["jpeg", "gif", "png"] as const).map((format) => picture().toFormat(format).toBuffer()),
    );
    if (!jpeg || !gif || !png) throw new Error("three were made");
    const comment = Buffer.from([0xff, 0xfe, 0, 6, ...Buffer.from("mine")]);
    const commented = Buffer.concat([jpeg.subarray(0, 20), comment, jpeg.subarray(20)]);
    const said = Buffer.concat([
      gif.subarray(0, -1),
      Buffer.from([0x21, 0xfe, 4, ...Buffer.from("mine"), 0, 0x3b]),
    ]);
    for (const bytes of [
      commented,
      said,
      jpeg.subarray(0, -2),
      gif.subarray(0, -1),
      png.subarray(0, -12),
    ]) {
      const type = imageTypeOf(bytes);
      expect(type !== null && isPictureAlone(bytes, type)).toBe(false);
    }
    expect(isPictureAlone(jpeg, "image/jpeg")).toBe(true);
  });

  it("[FILE-25] does not pass as bare with a repeated or overlong chunk", async () => {
    const png = await picture().png().toBuffer();
    const part = (name: string, content: string) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(content.length);
      const named = Buffer.from(name + content, "latin1");
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(named));
      return Buffer.concat([length, named, sum]);
    };
    const behindHead = 33;
    const having = (...parts: Buffer[]) =>
      Buffer.concat([png.subarray(0, behindHead), ...parts, png.subarray(behindHead)]);
    const gamma = part("gAMA", "\0\0\u00b1\u008f");
    expect(isPictureAlone(having(gamma), "image/png")).toBe(true);
    for (const bytes of [having(gamma, gamma), having(part("sBIT", "words of somebody"))])
      expect(isPictureAlone(bytes, "image/png")).toBe(false);
  });
});
