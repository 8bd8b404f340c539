import { readFileSync } from "node:fs";

/** How often the account of the thread is read, in ms: a stretch is overstated by two of these at most. */
const interval = 4;

/**
 * Watches the main thread of a process, on Linux. Answers how much processor time its longest
 * stretch of work took since that was asked last, in ms: a stretch is the time in which it never
 * slept, and its waits for a processor do not count. Several turns of an event loop that follow on
 * each other are one stretch, so no turn took longer.
 */
export function watchThread(pid: number): () => number {
  // Nanoseconds on a processor, and ready without one.
  const read = () => {
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8")
      .split(" ")
      .map(Number);
    return { at: performance.now(), ran: ran / 1e6, waited: waited / 1e6 };
  };
  let before = read();
  let stretch = 0;
  let longest = 0;
  const timer = setInterval(() => {
    let now: typeof before;
    try {
      now = read();
    } catch {
      // The process has ended.
      return clearInterval(timer);
    }
    const ran = now.ran - before.ran;
    const isAwake = ran + now.waited - before.waited > 0.9 * (now.at - before.at);
    longest = Math.max(longest, stretch + ran);
    stretch = isAwake ? stretch + ran : ran;
    before = now;
  }, interval);
  timer.unref();
  return () => {
    const answer = longest;
    longest = 0;
    return answer;
  };
}
