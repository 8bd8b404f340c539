import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const lock = z.object({ pid: z.number() });

/** Returns the id of the main process that holds a data folder. */
async function mainProcess(dataDir: string): Promise<number> {
  return lock.parse(JSON.parse(await readFile(join(dataDir, "lock.json"), "utf8"))).pid;
}

/**
 * Returns the id of the process that renders pages for the product on a data folder, or null if
 * there is none.
 */
export async function pageProcess(dataDir: string): Promise<number | null> {
  const main = await mainProcess(dataDir);
  for (const name of (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry))) {
    const read = (file: string) => readFile(`/proc/${name}/${file}`, "utf8").catch(() => "");
    const parent = /^PPid:\s+(\d+)$/m.exec(await read("status"))?.[1];
    if (Number(parent) !== main) continue;
    if (/\.next\/pages-[\w-]+\.mjs/.test(await read("cmdline"))) return Number(name);
  }
  return null;
}

/** Whether a process runs and is not a zombie. */
export async function isRunning(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return state !== "" && !/^State:\s+Z/m.test(state);
}
