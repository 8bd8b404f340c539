import type { Trouble } from "./weather";

/** Acts of people and pages besides typing, and faults; the probability of each per step. */
export type Chaos = Partial<
  Record<
    Trouble | "rights" | "intrude" | "trash" | "crash" | "reload" | "open" | "leave" | "respond",
    number
  >
> & {
  /** The probability that a newer build is deployed while people write. */
  deploy?: number;
  requests?: { lateRequest: number; repeatedRequest: number };
};

/** Everything that can go wrong. */
export const upheaval: Chaos = {
  offline: 0.05,
  halfOpen: 0.03,
  apart: 0.02,
  restart: 0.006,
  stall: 0.02,
  slow: 0.02,
  skew: 0.01,
  signOut: 0.01,
  rights: 0.025,
  intrude: 0.02,
  trash: 0.006,
  crash: 0.02,
  reload: 0.015,
  open: 0.025,
  leave: 0.01,
  respond: 0.05,
  deploy: 0.5,
  requests: { lateRequest: 0.05, repeatedRequest: 0.05 },
};

/** Slow, but without losses: no page is closed, pages only stall, and appends are slow. */
export const sluggishness: Chaos = { stall: 0.05, slow: 0.05 };
