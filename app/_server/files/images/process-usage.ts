import { readFileSync } from "node:fs";

/** The processor time of a process so far, over all its threads, and its resident memory. */
type Usage = { processorMs: number; megabytes: number };

/** Linux reports processor time in hundredths of a second and memory in pages of 4 KiB. */
const tickMs = 10;
const pageBytes = 4_096;

/** Reads a process' usage from `/proc`. Null without `/proc`, or if the process has ended. */
export function usageOf(pid: number): Usage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program name is in parentheses and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, pages] = [fields[11], fields[12], fields[21]].map(Number);
    if (user === undefined || system === undefined || pages === undefined) return null;
    return { processorMs: (user + system) * tickMs, megabytes: (pages * pageBytes) / 2 ** 20 };
  } catch {
    return null;
  }
}
