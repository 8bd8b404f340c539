import type { Random } from "./clock";

/** The wait after the first failure and the longest one, in milliseconds. */
export type BackoffLimits = { first: number; longest: number };

/**
 * Returns the milliseconds to wait after a number of consecutive failures. The wait doubles with
 * each failure. A random half of the wait is jitter, so that clients that lost a server at the same
 * moment do not all return at the same moment.
 */
export function backoff(
  { unit }: Pick<Random, "unit">,
  failures: number,
  { first, longest }: BackoffLimits,
): number {
  return Math.min(longest, first * 2 ** Math.max(0, failures - 1)) * (0.5 + unit() / 2);
}
