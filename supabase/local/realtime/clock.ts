/** Time as the server sees it: milliseconds since 1970, and timers that can be cancelled. */
export type Clock = {
  now(): number;
  /** Runs `action` once after `ms`; calling the answer cancels it. */
  after(ms: number, action: () => void): () => void;
};

/** The machine's own time. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Writes a line; `info` is the level unless another is named. */
export type Log = (line: string, level?: "info" | "warn" | "error") => void;
