import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { ImageProcess } from "./image-process";
import type { ImageLimits } from "./image-process";
import { usageOf } from "./process-usage";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-images-"));
/** A process whose behaviour depends on the first byte. */
const script = join(folder, "stub.cjs");
writeFileSync(
  script,
  `process.on('message', ({ bytes }) => {
    const asked = String.fromCharCode(bytes[0])
    if (asked === 'w') return
    while (asked === 't');
    if (asked === 'f') for (const kept = []; ; ) kept.push(Buffer.alloc(8e6, 1))
    if (asked === 'e') process.exit(1)
    process.send(asked === 'b' ? { fault: 'broken' } : { made: { pid: process.pid, env: process.env } })
  })
  process.on('disconnect', () => process.exit())`,
);

const generous: ImageLimits = { processorMs: 60_000, wallMs: 60_000, megabytes: 4_000 };
const open: ImageProcess[] = [];
function processOf(limits: Partial<ImageLimits> = {}, file = script): ImageProcess {
  const made = new ImageProcess(file, { ...generous, ...limits });
  open.push(made);
  return made;
}
afterEach(() => open.splice(0).forEach((each) => each.close()));

const job = (asked: string) => ({ make: "square", bytes: Buffer.from(asked), size: 192 }) as const;
const { signal } = new AbortController();

describe("the process that decodes images", () => {
  it("[FILE-27] serves several images, and has none of the server's secrets", async () => {
    process.env.SUPABASE_SECRET_KEY = "secret";
    const images = processOf();
    const first = await images.run(job("a"), signal);
    expect(first).toMatchObject({ pid: expect.any(Number) });
    expect(JSON.stringify(first)).not.toContain("SUPABASE");
    delete process.env.SUPABASE_SECRET_KEY;
    expect(await images.run(job("a"), signal)).toEqual(first);
  });

  it.each([
    ["processor", "t", { processorMs: 300 }],
    ["time", "w", { wallMs: 300 }],
    ["memory", "f", { megabytes: 250 }],
  ])("[FILE-27] ends when an image exceeds its %s limit", async (_, asked, limits) => {
    const images = processOf(limits);
    expect(await images.run(job(asked), signal)).toBe("spent");
    // On a busy machine the next process may not start within this limit.
    await expect
      .poll(() => images.run(job("a"), signal))
      .toMatchObject({ pid: expect.any(Number) });
  });

  it("[FILE-27] ends when its caller disconnects", async () => {
    const images = processOf();
    const first = await images.run(job("a"), signal);
    const { pid } = first as unknown as { pid: number };
    const leaving = new AbortController();
    const running = images.run(job("t"), leaving.signal);
    leaving.abort(new Error("gone"));
    await expect(running).rejects.toThrow("gone");
    await expect.poll(() => usageOf(pid)).toBeNull();
    expect(await images.run(job("a"), signal)).not.toEqual(first);
  });

  it("[FILE-27] is replaced after a crash, and reports faults", async () => {
    const images = processOf();
    expect(await images.run(job("e"), signal)).toBe("spent");
    await expect(images.run(job("b"), signal)).rejects.toThrow("broken");
    expect(await images.run(job("a"), signal)).toMatchObject({ pid: expect.any(Number) });
  });
});

describe("the built image process", () => {
  const built = join(process.cwd(), "node_modules", ".cache", "image-process.test.cjs");
  beforeAll(() =>
    build({
      entryPoints: ["app/_server/files/images/image-child.ts"],
      outfile: built,
      bundle: true,
      platform: "node",
      format: "cjs",
      external: ["sharp"],
    }),
  );

  it("[FILE-27] stores and crops images, and refuses other bytes", async () => {
    const images = processOf({}, built);
    const bytes = await sharp({
      create: { width: 700, height: 90, channels: 3, background: "red" },
    })
      .png()
      .toBuffer();
    const made = await images.run({ make: "stored", bytes, isRestored: false }, signal);
    expect(made).toMatchObject({ type: "image/png", width: 700, height: 90 });
    expect(await images.run({ make: "square", bytes, size: 192 }, signal)).toHaveProperty("bytes");
    const none = { make: "stored", bytes: Buffer.from("none"), isRestored: false } as const;
    expect(await images.run(none, signal)).toBe("not-an-image");
  });

  it("[FILE-27] stops decoding at its processor limit", async () => {
    const images = processOf({ processorMs: 200 }, built);
    const bytes = await sharp({
      create: { width: 4_000, height: 4_000, channels: 3, background: "red" },
    })
      .avif({ effort: 0, quality: 20 })
      .toBuffer();
    expect(await images.run({ make: "stored", bytes, isRestored: false }, signal)).toBe("spent");
  });
});
