// Loaded into a measured product. Answers each connection to MAIN_THREAD_WATCH with one line of
// JSON about the main thread since the last connection, in ms, and resets the counters. `ran` is
// the CPU time of the thread. `longest` is the CPU time between two ticks of a timer, without the
// time of other processes. No turn of the event loop took longer, since whole turns lie between two
// ticks. `delay` is how late timers were by the clock: median, 99th percentile, maximum. Linux's
// accounting lags by at most 4 ms.
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const path = process.env.MAIN_THREAD_WATCH;
// Child processes inherit the environment.
if (path && isMainThread && process.argv[1]?.endsWith("start.mjs")) {
  delete process.env.MAIN_THREAD_WATCH;
  const ran = () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  const interval = 5;
  const delay = monitorEventLoopDelay({ resolution: interval });
  delay.enable();
  let begun = ran();
  let before = begun;
  let longest = 0;
  setInterval(() => {
    const now = ran();
    longest = Math.max(longest, now - before);
    before = now;
  }, interval).unref();
  const late = (/** @type {number} */ nanoseconds) => Math.max(0, nanoseconds / 1e6 - interval);
  rmSync(path, { force: true });
  createServer((socket) => {
    const now = ran();
    const [median, most, all] = [delay.percentile(50), delay.percentile(99), delay.max];
    socket.end(
      JSON.stringify({
        ran: now - begun,
        longest,
        delay: { median: late(median), p99: late(most), longest: late(all) },
      }),
    );
    begun = now;
    longest = 0;
    delay.reset();
  })
    .listen(path)
    .unref();
  process.once("exit", () => rmSync(path, { force: true }));
}
