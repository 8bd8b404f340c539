import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { diskCheck, leastForWrites } from "./disk-check";

const free = new Map<string, number>();
const disk = {
  mayWrite: async () => undefined,
  free: async (folder: string) => free.get(folder) ?? 0,
};

it("[OPS-9] passes while every disk of the data folder has room for the database's log", async () => {
  const check = diskCheck(["/data", "/data/postgres"], disk);
  free.set("/data", leastForWrites).set("/data/postgres", leastForWrites);
  await check();
  free.set("/data/postgres", leastForWrites - 1);
  await expect(check()).rejects.toThrow("/data/postgres has no free space");
  free.set("/data/postgres", leastForWrites);
  await check();
});

it("[OPS-9] fails when a folder cannot be written", async () => {
  const readOnly = { ...disk, mayWrite: () => Promise.reject(new Error("EROFS")) };
  free.set("/data", leastForWrites);
  await expect(diskCheck(["/data"], readOnly)()).rejects.toThrow("EROFS");
});

it("[OPS-9] checks the real file system", async () => {
  const folder = await mkdtemp(join(tmpdir(), "disk-check-"));
  await diskCheck([folder])();
  await rm(folder, { recursive: true });
  await expect(diskCheck([folder])()).rejects.toThrow("ENOENT");
});
