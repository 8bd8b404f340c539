import { readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Stops a PostgreSQL that outlived its launcher on this data folder, even if only some of its
 * processes remain, and removes its `postmaster.pid`, which may name another program's process by
 * now. The caller holds the folder's lock.
 */
export async function stopOrphan(data: string, log: (line: string) => void): Promise<void> {
  const file = join(data, "postmaster.pid");
  const text = await readFile(file, "utf8").catch(() => null);
  const pid = Number(text?.split("\n")[0] ?? 0);
  if (Number.isSafeInteger(pid) && pid > 1 && isAlive(pid) && (await serves(pid, data))) {
    log(`Stopping the database server of an earlier run (pid ${pid})`);
    await stop(pid);
  }
  await endRest(data, log);
  if (text !== null) await rm(file, { force: true });
}

/**
 * Kills the child processes of a dead postmaster. A busy child notices its death late. Until then a
 * new server refuses to start, since both would write to the same files.
 */
async function endRest(data: string, log: (line: string) => void): Promise<void> {
  const rest = await processesIn(data);
  if (rest.length === 0) return;
  log(`Stopping what is left of the database server of an earlier run (pid ${rest.join(", ")})`);
  for (const pid of rest) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  const end = Date.now() + 8_000;
  while ((await processesIn(data)).length > 0) {
    if (Date.now() > end)
      throw new Error(
        `Processes of an earlier database server (pid ${rest.join(", ")}) do not stop. ` +
          "Stop them by hand, then start again.",
      );
    await delay(50);
  }
}

/** Finds PostgreSQL's processes, whose working directory is the cluster. */
async function processesIn(data: string): Promise<number[]> {
  // Without /proc (macOS), processes cannot be listed.
  const names = await readdir("/proc").catch(() => []);
  const folder = await realpath(data).catch(() => null);
  if (folder === null) return [];
  const found = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) =>
        (await readlink(`/proc/${name}/cwd`).catch(() => null)) === folder ? Number(name) : 0,
      ),
  );
  return found.filter((pid) => pid !== 0 && pid !== process.pid);
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
  // Without /proc (macOS), the pid file is the only evidence.
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
