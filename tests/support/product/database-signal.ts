import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "./stack";

/** Returns the database server's processes: the postmaster, then its children. */
export async function databaseProcesses({ dataDir }: Pick<Stack, "dataDir">): Promise<number[]> {
  const first = Number(
    (await readFile(join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8")).split("\n")[0],
  );
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    all.map(async (id) =>
      Number(
        (await readFile(`/proc/${id}/stat`, "utf8").catch(() => ""))
          .split(") ")
          .at(-1)
          ?.split(" ")[1],
      ),
    ),
  );
  return [first, ...all.filter((_, index) => parents[index] === first)];
}

/** Returns the processes that serve one connection each. */
export async function connectionProcesses(stack: Pick<Stack, "dataDir">): Promise<number[]> {
  const [, ...children] = await databaseProcesses(stack);
  const titles = await Promise.all(
    children.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")),
  );
  return children.filter((_, index) => titles[index]?.includes("127.0.0.1("));
}

/**
 * Sends `kill -9` to the postmaster, to one of its children (at `place`, from 0 to 1), or to all of
 * them at once. Returns the number of processes.
 */
export async function killDatabase(
  stack: Pick<Stack, "dataDir">,
  which: "first" | "child" | "all",
  place = 0,
): Promise<number> {
  const all = await databaseProcesses(stack);
  const [first, ...children] = all;
  const child = children[Math.floor(place * children.length)];
  const chosen = { first: [first], child: [child], all }[which];
  let killed = 0;
  for (const id of chosen) if (id !== undefined && isSent(id, "SIGKILL")) killed += 1;
  return killed;
}

/** Returns false if the process has already ended, as a connection's process may. */
function isSent(id: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(id, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

/**
 * Stops all processes of a product's database server, so that the server no longer responds, or
 * resumes these processes.
 */
export async function signalDatabase(
  stack: Pick<Stack, "dataDir">,
  signal: "SIGSTOP" | "SIGCONT",
): Promise<void> {
  for (const id of await databaseProcesses(stack)) isSent(id, signal);
}
