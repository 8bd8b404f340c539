import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { objectPath } from "@/supabase/local/storage/file-storage";
import { FilesMoved, isHeldPath, openHold } from "./held-files";
import type { ObjectRow } from "./snapshot";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hold-"));
  await writeFile(join(folder, "keys.json"), "keys");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const path = join("storage", objectPath("files", "a.txt"));
const row = (etag: string | null): ObjectRow => ({ bucket: "files", key: "a.txt", etag });
async function* rows(...all: ObjectRow[]): AsyncGenerator<ObjectRow> {
  yield* all;
}
/** Stores an object as FileStorage does: first the note, then the bytes, both by renaming. */
async function store(text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  const lastModified = "2026-11-23T10:00:00.000Z";
  const note = { mimetype: "text/plain", cacheControl: "", eTag: text, size: 3, lastModified };
  await writeFile(`${file}.json.new`, JSON.stringify(note));
  await writeFile(`${file}.new`, text);
  await rename(`${file}.json.new`, `${file}.json`);
  await rename(`${file}.new`, file);
}

describe("the files of a backup", () => {
  it("[BACKUP-1] keep the content that they had when held, after changes and deletion", async () => {
    await store("one");
    const hold = await openHold(folder);
    const { paths, lost } = await hold.hold(rows(row("one")), false);
    expect([paths, lost]).toEqual([["keys.json", path, `${path}.json`], 0]);
    expect(paths.every(isHeldPath)).toBe(true);
    await store("two");
    expect(await readFile(hold.pathOf(path), "utf8")).toBe("one");
    await rm(join(folder, path));
    expect(await readFile(hold.pathOf(path), "utf8")).toBe("one");
    await hold.release();
    expect((await readdir(folder)).sort()).toEqual(["keys.json", "storage"]);
  });

  it("[BACKUP-1] that differ from their rows are requested again, and counted as lost in the end", async () => {
    await store("two");
    const hold = await openHold(folder);
    await expect(hold.hold(rows(row("one")), false)).rejects.toBeInstanceOf(FilesMoved);
    await hold.clear();
    expect(await hold.hold(rows(row("two")), false)).toMatchObject({ lost: 0 });
    await hold.clear();
    await rm(join(folder, path));
    await expect(hold.hold(rows(row("two")), false)).rejects.toBeInstanceOf(FilesMoved);
    await hold.clear();
    expect(await hold.hold(rows(row("two")), true)).toEqual({ paths: ["keys.json"], lost: 1 });
    await hold.release();
  });

  it("[BACKUP-3] are held by one backup at a time; those of a killed one are released", async () => {
    await store("one");
    const first = await openHold(folder);
    await first.hold(rows(row("one")), false);
    await expect(openHold(folder)).rejects.toThrow(
      /Another backup of .* is being made \(pid \d+\)/,
    );
    // The process was killed: the pid in its lock is not alive.
    await rm(join(folder, "backup", "lock.json"));
    const second = await openHold(folder);
    expect((await second.hold(rows(row("one")), false)).paths).toHaveLength(3);
    await second.release();
    expect((await readdir(folder)).sort()).toEqual(["keys.json", "storage"]);
  });

  it("[BACKUP-6] exclude paths outside the data folder", () => {
    for (const name of [
      "../keys.json",
      "/etc/passwd",
      "storage/../../x",
      "lock.json",
      "postgres/password",
    ])
      expect(isHeldPath(name), name).toBe(false);
  });
});
