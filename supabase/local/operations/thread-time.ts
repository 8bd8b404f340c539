import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

/** Linux's statistics of the calling thread; the first number is its processor time in ns. */
const account = "/proc/thread-self/schedstat";

function processorTime(): number {
  return Number(readFileSync(account, "utf8").split(" ")[0]) / 1e6;
}

/**
 * Returns a function for this thread's processor time in ms. Outside Linux it is the event loop's
 * active time, which is longer on a busy machine.
 */
export function threadTime(): () => number {
  try {
    processorTime();
    return processorTime;
  } catch {
    return () => performance.eventLoopUtilization().active;
  }
}
