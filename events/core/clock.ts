import { v4 } from "uuid";

/** Time as a dependency, so that tests can control it. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from an arbitrary origin. Measures durations even if the system clock changes. */
  elapsed(): number;
  /** Runs `task` once after `delay` milliseconds. Returns a function that cancels the task. */
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

/** The platform's clock: `Date`, `performance` and `setTimeout`. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delay, task) {
    const timer = setTimeout(task, delay);
    return () => clearTimeout(timer);
  },
};

/**
 * Creates a random UUID (version 4), also on insecure origins, where browsers hide
 * `crypto.randomUUID`. The bytes are passed because the library would otherwise call
 * `crypto.randomUUID`, which may be polyfilled with this function.
 */
const uuid = (): string => v4({ random: crypto.getRandomValues(new Uint8Array(16)) });

/** The platform's randomness: Web Crypto and `Math.random`. */
export const systemRandom: Random = {
  uuid,
  clientId: () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
  unit: () => Math.random(),
};
