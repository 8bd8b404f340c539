import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

/** Linux's account of the thread that reads it: the first number is the processor time it had, in ns. */
const account = "/proc/thread-self/schedstat";

function processorTime(): number {
  return Number(readFileSync(account, "utf8").split(" ")[0]) / 1e6;
}

/**
 * Tells how many ms of processor time this thread had so far. Where the system does not say, it is
 * the time in which the event loop was not idle, which a busy machine makes longer.
 */
export function threadTime(): () => number {
  try {
    processorTime();
    return processorTime;
  } catch {
    return () => performance.eventLoopUtilization().active;
  }
}
