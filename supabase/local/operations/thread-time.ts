import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

/** Linux's statistics of the calling thread. The first number is processor time in ns. */
const account = "/proc/thread-self/schedstat";

function processorTime(): number {
  return Number(readFileSync(account, "utf8").split(" ")[0]) / 1e6;
}

/**
 * Returns a function that reads this thread's processor time in ms. Outside Linux, the function
 * returns the event loop's active time, which is longer on a busy machine.
 */
export function threadTime(): () => number {
  try {
    processorTime();
    return processorTime;
  } catch {
    return () => performance.eventLoopUtilization().active;
  }
}
