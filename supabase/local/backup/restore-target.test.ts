import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clusterOf, markerOf, restoringOf } from "@/supabase/local/process/data-folder";
import { lockFolder } from "@/supabase/local/process/lock";
import { admitTarget, openTarget } from "./restore-target";

let base: string;
let folder: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "target-"));
  folder = join(base, "data");
});
afterEach(() => rm(base, { recursive: true, force: true }));

const log = () => undefined;
const put = async (path: string, text: string) => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};

/** Writes the staged files of a restore before it publishes. */
async function stage(text: string): Promise<void> {
  const staged = restoringOf(folder);
  for (const name of ["keys.json", "folder.json", "storage/ab/file", "postgres/password"])
    await put(join(staged, name), text);
  await put(join(clusterOf(staged), "PG_VERSION"), "17\n");
}

describe("the target folder of a restore", () => {
  it.each<[string, () => Promise<void>]>([
    ["a database", () => put(join(clusterOf(folder), "PG_VERSION"), "17\n")],
    [
      "the marker of a workspace whose database is elsewhere or gone",
      () => put(markerOf(folder), "{}"),
    ],
    ["stored files", () => put(join(folder, "storage", "ab", "file"), "x")],
  ])("[BACKUP-11] is refused when it holds %s, and stays unchanged", async (_, make) => {
    await make();
    const before = await readdir(folder, { recursive: true });
    await expect(admitTarget(folder)).rejects.toThrow(
      /a restore never replaces one: nothing was changed/,
    );
    await expect(openTarget(folder, log)).rejects.toThrow("a restore never replaces one");
    expect(await readdir(folder, { recursive: true })).toEqual(before);
  });

  it("[BACKUP-11] is refused while locked, and left unchanged on release", async () => {
    const unlock = await lockFolder(folder);
    await expect(openTarget(folder, log)).rejects.toThrow("already open in another process");
    await unlock();
    await rm(folder, { recursive: true });
    const target = await openTarget(folder, log);
    await stage("one");
    await target.release();
    expect(await readdir(base)).toEqual([]);
  });

  it.each([0, 1, 2, 3, 4])(
    "[BACKUP-10] is complete when a restore is repeated after %i of its moves",
    async (moves) => {
      const first = await openTarget(folder, log);
      await stage("one");
      const names = ["keys.json", "storage/ab/file", "postgres/password", "folder.json"];
      for (const name of names.slice(0, moves)) await put(join(folder, name), "one");
      // The process was killed: the pid in its lock is not alive.
      await rm(join(folder, "lock.json"));
      await admitTarget(folder);
      const second = await openTarget(folder, log);
      await stage("two");
      await second.publish();
      await second.release();
      for (const name of names) expect(await readFile(join(folder, name), "utf8")).toBe("two");
      expect((await readdir(folder)).sort()).toEqual([
        "folder.json",
        "keys.json",
        "postgres",
        "storage",
      ]);
      await first.release();
      await expect(admitTarget(folder)).rejects.toThrow("a restore never replaces one");
    },
  );
});
