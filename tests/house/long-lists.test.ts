import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Folders whose code reads documents and histories of any length. */
const folders = [
  "app/_server/workers",
  "events/analysis",
  "events/crdt",
  "events/formats",
  "events/history",
];
const spread = /\.(push|unshift)\(\s*\.\.\./;

it("[LINE-10] no reader of histories passes a list as the arguments of push or unshift", async () => {
  const found: string[] = [];
  for (const folder of folders) {
    const names = await readdir(join(root, folder), { recursive: true });
    for (const name of names) {
      if (!/\.tsx?$/.test(name) || /\.(test|fixture)\./.test(name)) continue;
      const text = await readFile(join(root, folder, name), "utf8");
      if (spread.test(text)) found.push(`${folder}/${name}`);
    }
  }
  // Use appendAll (events/core/append-all.ts).
  expect(found).toEqual([]);
});
