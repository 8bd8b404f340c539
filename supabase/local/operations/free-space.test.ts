import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { freeBytes } from "./free-space";

it("[OPS-7] reads the free bytes of a folder's file system", async () => {
  const { stdout } = await promisify(execFile)("df", ["-Pk", tmpdir()]);
  const kibibytes = Number(/(\d+)\s+\d+%/.exec(stdout)?.[1]);
  const free = await freeBytes(tmpdir());
  // Other processes write to the disk in the meantime.
  expect(Math.abs(free / 1024 - kibibytes)).toBeLessThan(1024 * 1024);
});

it("[OPS-7] fails for a folder that does not exist", async () => {
  await expect(freeBytes(`${tmpdir()}/palimpsest-missing`)).rejects.toThrow("ENOENT");
});
