import { readFileSync } from "node:fs";

/** The processor time of a process so far, over all its threads, and its resident memory. */
type Usage = { processorMs: number; megabytes: number };

/** Linux counts processor time in hundredths of a second here, and memory in pages of 4 KiB. */
const tickMs = 10;
const pageBytes = 4_096;

/** Reads what a process has had from `/proc`; null where the system has no such folder, or the process has ended. */
export function usageOf(pid: number): Usage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program stands in brackets and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, pages] = [fields[11], fields[12], fields[21]].map(Number);
    if (user === undefined || system === undefined || pages === undefined) return null;
    return { processorMs: (user + system) * tickMs, megabytes: (pages * pageBytes) / 2 ** 20 };
  } catch {
    return null;
  }
}
