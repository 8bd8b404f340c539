/** Time as a driver sees it: handed in, so that a test can turn it by hand. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since no particular moment: how long something takes, also when somebody sets the clock in between. */
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

/** The randomness of this machine. */
export const systemRandom: Random = {
  uuid,
  clientId: () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
  unit: () => Math.random(),
};

/** A random UUID (version 4), also on an insecure origin, where browsers hide `crypto.randomUUID`. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}
