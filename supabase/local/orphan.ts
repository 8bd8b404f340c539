import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Stops a PostgreSQL that outlived its launcher on this data folder, and removes a `postmaster.pid`
 * that names somebody else. The caller holds the folder's lock.
 */
export async function stopOrphan(data: string, log: (line: string) => void): Promise<void> {
  const file = join(data, "postmaster.pid");
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return;
  const pid = Number(text.split("\n")[0]);
  if (Number.isSafeInteger(pid) && pid > 1 && isAlive(pid) && (await serves(pid, data))) {
    log(`Stopping the database server of an earlier run (pid ${pid})`);
    await stop(pid);
  }
  await rm(file, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function serves(pid: number, data: string): Promise<boolean> {
  // Without /proc (macOS) the file's own second line, the data folder, has to do.
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => null);
  if (command !== null) return command.split("\0").includes(data);
  return process.platform !== "linux";
}

async function stop(pid: number): Promise<void> {
  for (const [signal, seconds] of [
    ["SIGINT", 8],
    ["SIGQUIT", 8],
  ] as const) {
    process.kill(pid, signal);
    const end = Date.now() + seconds * 1000;
    while (Date.now() < end) {
      if (!isAlive(pid)) return;
      await delay(50);
    }
  }
  throw new Error(
    `The database server of an earlier run (pid ${pid}) does not stop. Stop it by hand, then start again.`,
  );
}
