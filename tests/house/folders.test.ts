import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { expect, it } from "vitest";

const most = 25;
const isSource = (file: string) =>
  /\.(tsx?|mjs)$/.test(file) && !/\.(test|fixture|soak|d)\./.test(file);

/** The number of source files directly in each folder, without tests and fixtures. */
function sourcesByFolder(): Map<string, number> {
  const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
  const counts = new Map<string, number>();
  for (const file of files.filter(isSource))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return counts;
}

it("[HOUSE-25] no folder has more than 25 source files", () => {
  expect([...sourcesByFolder()].filter(([, count]) => count > most)).toEqual([]);
});
