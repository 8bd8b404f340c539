import { v4 } from "uuid";

/** Time as a driver sees it: handed in, so that a test can turn it by hand. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since no particular moment: how long something takes, also when somebody sets the
   * clock in between.
   */
  elapsed(): number;
  /** Runs `task` once after `delay` milliseconds; the answer cancels it. */
  after(delay: number, task: () => void): () => void;
};

/** Chance as a driver sees it: handed in, so that a seed repeats a run. */
export type Random = {
  uuid(): string;
  /** A Yjs client id: 32 random bits, never one that was used before. */
  clientId(): number;
  /** At least 0 and below 1. */
  unit(): number;
};

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delay, task) {
    const timer = setTimeout(task, delay);
    return () => clearTimeout(timer);
  },
};

/**
 * A random UUID (version 4), also on an insecure origin, where browsers hide `crypto.randomUUID`.
 * Its bytes are handed over: the library would ask that function first, which this one may stand in
 * for.
 */
const uuid = (): string => v4({ random: crypto.getRandomValues(new Uint8Array(16)) });

/** The randomness of this machine. */
export const systemRandom: Random = {
  uuid,
  clientId: () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
  unit: () => Math.random(),
};
