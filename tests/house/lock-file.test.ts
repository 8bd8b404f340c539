import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";

const entrySchema = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const lock = z
  .object({ packages: z.record(z.string(), entrySchema) })
  .parse(JSON.parse(readFileSync("package-lock.json", "utf8")));

test("the lock file has every optional package of every platform, as npm ci requires", () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});

test("the lock file has no download addresses", () => {
  expect(
    Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined),
  ).toEqual([]);
});

/** Resolves a package as Node does: beside its dependent, then in every folder above. */
function isLocked(path: string, name: string): boolean {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    if (lock.packages[`${at ? `${at}/` : ""}node_modules/${name}`]) return true;
    if (at === "") return false;
    if (!at.includes("/node_modules/")) return lock.packages[`node_modules/${name}`] !== undefined;
  }
}
