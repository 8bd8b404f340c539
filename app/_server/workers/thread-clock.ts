import { readFileSync, readlinkSync } from "node:fs";

/** A thread, as named in `/proc`. */
export type Thread = string;

/** Returns the calling thread, or null outside Linux. */
export function ownThread(): Thread | null {
  if (process.platform !== "linux") return null;
  try {
    return readlinkSync("/proc/thread-self");
  } catch {
    return null;
  }
}

/**
 * Returns the processor time of a thread in milliseconds. On a busy machine, it is far less than
 * the elapsed time. Null if the system does not provide it.
 */
export function processorMs(thread: Thread): number | null {
  try {
    const nanoseconds = Number(readFileSync(`/proc/${thread}/schedstat`, "utf8").split(" ")[0]);
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null;
  } catch {
    return null;
  }
}
