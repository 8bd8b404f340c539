import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FolderInUse, lockFolder } from "./lock";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the lock of a data folder", () => {
  test("[START-1] is refused while its holder lives, and names the holder", async () => {
    await lockFolder(folder);
    const second = await lockFolder(folder).catch((error: unknown) => error);
    expect(second).toBeInstanceOf(FolderInUse);
    expect(String(second)).toMatch(
      new RegExp(
        `Workspace is already open in another process \\(pid ` +
          `${process.pid}, started \\d\\d:\\d\\d\\)\\. Close it ` +
          `first\\.`,
      ),
    );
  });

  test("[START-1] is free again once released, and leaves nothing behind", async () => {
    await (
      await lockFolder(folder)
    )();
    expect(await readdir(folder)).toEqual([]);
    await (
      await lockFolder(folder)
    )();
  });

  test("[START-1] is not taken when its file cannot be read", async () => {
    await mkdir(join(folder, "lock.json"));
    await expect(lockFolder(folder)).rejects.toMatchObject({ code: "EISDIR" });
    expect(await readdir(folder)).toEqual(["lock.json"]);
  });

  test("[START-3] is taken from a process that is gone", async () => {
    await writeFile(
      join(folder, "lock.json"),
      JSON.stringify({ pid: 2 ** 22 + 1, startedAt: new Date(0).toISOString(), mark: "gone" }),
    );
    await lockFolder(folder);
    expect(await readFile(join(folder, "lock.json"), "utf8")).toContain(`"pid":${process.pid}`);
  });

  test("[START-3] is taken when its pid now belongs to another process", async () => {
    await writeFile(
      join(folder, "lock.json"),
      JSON.stringify({
        pid: process.pid,
        startedAt: new Date(0).toISOString(),
        mark: `${process.pid}/1/an earlier boot`,
      }),
    );
    await expect(lockFolder(folder)).resolves.toBeTypeOf("function");
  });

  test("[START-3] is taken when its file is truncated", async () => {
    await writeFile(join(folder, "lock.json"), '{"pid":');
    await expect(lockFolder(folder)).resolves.toBeTypeOf("function");
  });

  test("[START-1] goes to exactly one of many concurrent callers", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)));
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason] : [],
    );
    expect(refusals).toHaveLength(11);
    expect(refusals.every((refusal) => refusal instanceof FolderInUse)).toBe(true);
  });
});
