import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { inImageLane, laneOf } from "./image-lanes";

const { signal } = new AbortController();
const picture = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: "red" } });

describe("the lane of an image", () => {
  it("[FILE-24] depends on the pixels that its header declares", async () => {
    const small = await picture(600).jpeg().toBuffer();
    const large = await picture(5_000).jpeg().toBuffer();
    expect([laneOf(small), laneOf(large)]).toEqual(["small", "large"]);
    expect(laneOf(large.subarray(0, 10_000))).toBe("large");
  });

  it("[FILE-24] is the large one for several frames or an unreadable header", async () => {
    const frames = await Promise.all(
      [10, 200].map((r) => picture(20).tint({ r, g: 0, b: 0 }).png().toBuffer()),
    );
    const moving = sharp(frames, { join: { animated: true } });
    for (const bytes of [
      await moving.webp().toBuffer(),
      await moving.gif().toBuffer(),
      Buffer.from("none"),
      Buffer.alloc(0),
    ])
      expect(laneOf(bytes)).toBe("large");
    expect(laneOf(await picture(20).webp({ lossless: true }).toBuffer())).toBe("small");
  });

  it("[FILE-24] decodes small images while a large one is running", async () => {
    let finish = () => {};
    const first = inImageLane(
      "mallory",
      "large",
      signal,
      () => new Promise<string>((settle) => (finish = () => settle("done"))),
    );
    const waiting = inImageLane("mallory", "large", signal, () => Promise.resolve("second"));
    expect(await inImageLane("ana", "small", signal, () => Promise.resolve("small"))).toBe("small");
    finish();
    expect(await Promise.all([first, waiting])).toEqual(["done", "second"]);
  });

  it("[FILE-24] tries an image that exceeds the small limits again in the large lane", async () => {
    const tries: number[] = [];
    const work = () => Promise.resolve(tries.push(1) === 1 ? "spent" : "made");
    expect(await inImageLane("ana", "small", signal, work)).toBe("made");
    const spent = () => Promise.resolve("spent" as const);
    expect(await inImageLane("ana", "small", signal, spent)).toBe("spent");
  });
});
