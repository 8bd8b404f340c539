import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "./stack";

/** The database server's processes: the first one, and those that it has begun. */
async function databaseProcesses({ dataDir }: Pick<Stack, "dataDir">): Promise<number[]> {
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

/** Stops every process of a product's database server, so that nothing answers, or has them go on. */
export async function signalDatabase(
  stack: Pick<Stack, "dataDir">,
  signal: "SIGSTOP" | "SIGCONT",
): Promise<void> {
  for (const id of await databaseProcesses(stack)) process.kill(id, signal);
}
