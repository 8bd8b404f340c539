import { readFileSync, readlinkSync } from "node:fs";

/** A thread, as `/proc` names it. */
export type Thread = string;

/** The thread that calls this; null where the system does not tell, as Linux does. */
export function ownThread(): Thread | null {
  if (process.platform !== "linux") return null;
  try {
    return readlinkSync("/proc/thread-self");
  } catch {
    return null;
  }
}

/**
 * How many milliseconds of a processor a thread has had: on a machine where many want one, that is
 * far less than the time that goes by. Null where the system does not tell.
 */
export function processorMs(thread: Thread): number | null {
  try {
    const nanoseconds = Number(readFileSync(`/proc/${thread}/schedstat`, "utf8").split(" ")[0]);
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null;
  } catch {
    return null;
  }
}
