import type { Random } from "./clock";

/** The wait after the first failure and the longest one, in milliseconds. */
export type BackoffLimits = { first: number; longest: number };

/**
 * Milliseconds to wait after a number of consecutive failures. The wait doubles each time; a random
 * half of it is jitter, so that clients that lost a server together do not all return together.
 */
export function backoff(
  { unit }: Pick<Random, "unit">,
  failures: number,
  { first, longest }: BackoffLimits,
): number {
  return Math.min(longest, first * 2 ** Math.max(0, failures - 1)) * (0.5 + unit() / 2);
}
