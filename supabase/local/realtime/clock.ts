/** The server's time: milliseconds since 1970, and timers that can be cancelled. */
export type Clock = {
  now(): number;
  /** Runs `action` once after `ms`; the returned function cancels it. */
  after(ms: number, action: () => void): () => void;
};

/** The system clock. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Logs a line, at level `info` by default. */
export type Log = (line: string, level?: "info" | "warn" | "error") => void;
