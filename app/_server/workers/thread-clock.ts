import { readFileSync, readlinkSync } from "node:fs";

/** A thread, as named in `/proc`. */
export type Thread = string;

/** The calling thread; null outside Linux. */
export function ownThread(): Thread | null {
  if (process.platform !== "linux") return null;
  try {
    return readlinkSync("/proc/thread-self");
  } catch {
    return null;
  }
}

/**
 * The processor time of a thread in milliseconds: on a busy machine, far less than the time
 * elapsed. Null if the system does not provide it.
 */
export function processorMs(thread: Thread): number | null {
  try {
    const nanoseconds = Number(readFileSync(`/proc/${thread}/schedstat`, "utf8").split(" ")[0]);
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null;
  } catch {
    return null;
  }
}
