import { v4 } from "uuid";

/** Time as a dependency, so that tests can control it. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds from an arbitrary origin: measures durations even if the system clock is changed.
   */
  elapsed(): number;
  /** Runs `task` once after `delay` milliseconds; returns the function that cancels it. */
  after(delay: number, task: () => void): () => void;
};

/** Randomness as a dependency, so that a seed reproduces a run. */
export type Random = {
  uuid(): string;
  /** A fresh Yjs client id: 32 random bits. */
  clientId(): number;
  /** A number in [0, 1). */
  unit(): number;
};

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delay, task) {
    const timer = setTimeout(task, delay);
    return () => clearTimeout(timer);
  },
};

/**
 * A random UUID (version 4). Works on insecure origins too, where browsers hide
 * `crypto.randomUUID`. Passing the bytes keeps the library from calling that function, which this
 * one may polyfill.
 */
const uuid = (): string => v4({ random: crypto.getRandomValues(new Uint8Array(16)) });

/** The machine's randomness. */
export const systemRandom: Random = {
  uuid,
  clientId: () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
  unit: () => Math.random(),
};
