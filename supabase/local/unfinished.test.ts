import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeUnfinished } from "./unfinished";

/** Keeps writing for a while, like an initdb whose parent was killed. Prints once it begins. */
const writer = `
const { mkdirSync, writeFileSync } = require('node:fs')
let until = Infinity
for (let file = 0; Date.now() < until; file += 1) {
  try {
    writeFileSync(process.argv[1] + '/base/' + file, '')
  } catch {
    try { mkdirSync(process.argv[1] + '/base', { recursive: true }) } catch {}
  }
  if (file === 50) {
    until = Date.now() + 700
    process.stdout.write('writing')
  }
}`;

test("[START-4] an unfinished cluster is removed while a process still writes it, and nothing else", async () => {
  const directory = await mkdtemp(join(tmpdir(), "palimpsest-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, "cluster"));
  await mkdir(join(directory, "new-1", "base"), { recursive: true });
  // Many files, so that more appear during the removal.
  for (let file = 0; file < 600; file += 1)
    await writeFile(join(directory, "new-1", "base", `before-${file}`), "");
  const child = spawn(process.execPath, ["-e", writer, join(directory, "new-1")]);
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  await removeUnfinished(directory);
  await ended;
  await removeUnfinished(directory);
  expect(await readdir(directory)).toEqual(["cluster"]);
});
