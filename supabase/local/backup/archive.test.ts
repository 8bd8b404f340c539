import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aboutName, BackupFault, block, padding, partBytes, tarHeader } from "./archive-format";
import { openArchive, readAbout } from "./archive-reader";
import { ArchiveWriter } from "./archive-writer";
import type { About, Manifest } from "./manifest";

let folder: string;
let whole: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-archive-"));
  const path = join(folder, "whole.backup");
  await write(path);
  whole = await readFile(path);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const about: About = {
  format: "palimpsest-backup",
  version: 1,
  release: "0.1.0",
  takenAt: "2026-11-23T10:00:00.000Z",
  folder: null,
  migrations: ["20261123100000"],
  tables: [{ schema: "public", name: "events", columns: ["id"] }],
  sequences: [],
};
const rows = Buffer.from("one\ntwo\nthree\n");

async function write(path: string, file: Buffer = Buffer.from("{}")): Promise<void> {
  const writer = await ArchiveWriter.create(path);
  await writer.add(aboutName, Buffer.from(`${JSON.stringify(about)}\n`));
  const tables = [await writer.addParts("tables/public.events", Readable.from([rows]))];
  const files = [await writer.addParts("files/keys.json", Readable.from([file]))];
  await writer.finish({ tables, files });
  await writer.publish();
}

/** Returns a reader's verdict on a file: "whole", or the error message. */
async function verdict(bytes: Buffer): Promise<string> {
  const path = join(folder, "changed.backup");
  await writeFile(path, bytes);
  return verdictOf(path);
}

async function verdictOf(path: string): Promise<string> {
  try {
    await (await openArchive(path)).close();
    return "whole";
  } catch (error) {
    if (error instanceof BackupFault) return error.message;
    throw error;
  }
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

const tarFile = (name: string, bytes: Buffer) =>
  Buffer.concat([tarHeader(name, bytes.length), bytes, Buffer.alloc(padding(bytes.length))]);

/** Creates a file with lists that match its content, as a forger who knows the format could. */
function forged(files: [string, Buffer][], lists: Omit<Manifest, "entries">): Buffer {
  const entries = files.map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    sha256: sha256(bytes),
  }));
  const manifest = Buffer.from(`${JSON.stringify({ ...lists, entries })}\n`);
  return Buffer.concat([
    ...files.map(([name, bytes]) => tarFile(name, bytes)),
    tarFile("manifest.json", manifest),
    tarFile("manifest.sha256", Buffer.from(`${sha256(manifest)}  manifest.json\n`)),
    Buffer.alloc(2 * block),
  ]);
}

describe("a backup file", () => {
  it("[BACKUP-4] is one tar of parts, readable by its owner alone, and returns its content", async () => {
    const path = join(folder, "parts.backup");
    const file = randomBytes(2 * partBytes + 1000);
    await write(path, file);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readAbout(path)).toEqual(about);
    const archive = await openArchive(path);
    const [listed] = archive.manifest.files;
    expect(listed).toMatchObject({ parts: 3, bytes: file.length, sha256: sha256(file) });
    const parts: Buffer[] = [];
    if (listed) for await (const part of archive.read(listed)) parts.push(part);
    expect(Buffer.concat(parts).equals(file)).toBe(true);
    expect(archive.manifest.tables[0]).toMatchObject({ lines: 3, sha256: sha256(rows) });
    await archive.close();
  });

  it("[BACKUP-5] gets its name once it is complete, and replaces no file", async () => {
    const path = join(folder, "named.backup");
    const writer = await ArchiveWriter.create(path);
    await writer.add(aboutName, Buffer.from(`${JSON.stringify(about)}\n`));
    expect(await readdir(folder)).toContain("named.backup.partial");
    await writer.abandon();
    expect((await readdir(folder)).filter((name) => name.startsWith("named"))).toEqual([]);

    await writeFile(path, "of somebody else");
    await expect(ArchiveWriter.create(path)).rejects.toThrow("already exists and was not changed");
    await rm(path);
    const late = await ArchiveWriter.create(path);
    await late.finish({ tables: [], files: [] });
    await writeFile(path, "of somebody else");
    await expect(late.publish()).rejects.toThrow("already exists and was not changed");
    await late.abandon();
    expect(await readFile(path, "utf8")).toBe("of somebody else");
  });

  it("[BACKUP-6] is refused with any byte of it changed", async () => {
    expect(await verdict(whole)).toBe("whole");
    const step = 19;
    for (let at = 0; at < whole.length; at += step) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(at) ^ (1 << (at % 8)), at);
      expect(await verdict(changed), `byte ${at}`).not.toBe("whole");
    }
  });

  it("[BACKUP-6] is refused when truncated or extended", async () => {
    for (let length = 0; length < whole.length; length += 301)
      expect(await verdict(whole.subarray(0, length)), `${length} bytes`).not.toBe("whole");
    expect(await verdict(whole.subarray(0, -1))).toContain("is truncated");
    expect(await verdict(Buffer.concat([whole, Buffer.alloc(block)]))).toContain("does not end");
  });

  it("[BACKUP-6] is refused with a missing, extra, repeated or changed part", async () => {
    const packed = gzipSync(rows);
    const name = "tables/public.events/00000001.gz";
    const file = Buffer.from(`${JSON.stringify(about)}\n`);
    const listed = { name: "tables/public.events", parts: 1, bytes: rows.length, lines: 3 };
    const lists = { tables: [{ ...listed, sha256: sha256(rows) }], files: [] };
    expect(
      await verdict(
        forged(
          [
            [aboutName, file],
            [name, packed],
          ],
          lists,
        ),
      ),
    ).toBe("whole");
    expect(await verdict(forged([[aboutName, file]], lists))).toContain("damaged");
    const more: [string, Buffer][] = [
      [aboutName, file],
      [name, packed],
      ["tables/more/00000001.gz", packed],
    ];
    expect(await verdict(forged(more, lists))).toContain("damaged");
    expect(
      await verdict(
        forged(
          [
            [aboutName, file],
            [name, packed],
            [name, packed],
          ],
          lists,
        ),
      ),
    ).toContain("twice");
    const other = { ...listed, sha256: sha256(Buffer.from("one\ntwo\nthrEe\n")) };
    expect(
      await verdict(
        forged(
          [
            [aboutName, file],
            [name, packed],
          ],
          { tables: [other], files: [] },
        ),
      ),
    ).toContain("differs from its digest");
  });

  it("[BACKUP-6] is distinguished from other files", async () => {
    expect(await verdict(Buffer.alloc(0))).toContain("was not written by npm run backup");
    expect(await verdict(randomBytes(5000))).toContain("was not written by npm run backup");
    expect(await verdict(tarFile("readme.txt", Buffer.from("of another tar")))).toContain(
      "was not written by npm run backup",
    );
    const newer = Buffer.from(JSON.stringify({ ...about, version: 2 }));
    expect(await verdict(forged([[aboutName, newer]], { tables: [], files: [] }))).toContain(
      "cannot read this backup's format",
    );
    const path = join(folder, "a folder");
    await mkdir(path);
    expect(await verdictOf(path)).toContain("is not a file");
    expect(await verdictOf(join(folder, "none"))).toContain("There is no file");
  });

  it("[BACKUP-7] is refused with little memory if it unpacks to, or claims, too much", async () => {
    const bomb = join(folder, "bomb.gz");
    const zeros = Buffer.alloc(2 ** 20);
    await pipeline(
      Readable.from(Array.from({ length: 256 }, () => zeros)),
      createGzip({ level: 9 }),
      createWriteStream(bomb),
    );
    const packed: Buffer[] = [];
    for await (const chunk of createReadStream(bomb)) packed.push(chunk);
    const file = Buffer.from(`${JSON.stringify(about)}\n`);
    const listed = { name: "tables/public.events", parts: 1, bytes: 256 * 2 ** 20, lines: 0 };
    const lists = { tables: [{ ...listed, sha256: "0".repeat(64) }], files: [] };
    const bytes = forged(
      [
        [aboutName, file],
        ["tables/public.events/00000001.gz", Buffer.concat(packed)],
      ],
      lists,
    );
    const before = process.memoryUsage().rss;
    expect(await verdict(bytes)).toContain("cannot be unpacked");

    const huge = join(folder, "huge.backup");
    await writeFile(
      huge,
      Buffer.concat([
        tarFile(aboutName, file),
        tarHeader("tables/public.events/00000001.gz", 6 * 2 ** 30),
      ]),
    );
    // A sparse file has a huge size and takes no disk space.
    await truncate(huge, 7 * 2 ** 30);
    expect(await verdictOf(huge)).toContain("exceeds the size limit");
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
  });
});
