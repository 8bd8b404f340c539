import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { expect, it } from "vitest";

const most = 25;
/** Larger folders, each with the reason. */
const exceptions: Record<string, string> = {
  "supabase/local": "Its start, HTTP, auth, REST and storage files have yet to be grouped.",
  "supabase/local/realtime": "Moves together with supabase/local.",
};

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
  const large = [...sourcesByFolder()].filter(([, count]) => count > most);
  expect(large.filter(([folder]) => !(folder in exceptions))).toEqual([]);
  // An exception is removed once its folder is small enough.
  const folders = large.map(([folder]) => folder);
  expect(Object.keys(exceptions).filter((folder) => !folders.includes(folder))).toEqual([]);
});
