import { type Random } from "./clock";

/** The wait after the first failure and the longest one, in milliseconds. */
export type BackoffLimits = { first: number; longest: number };

/**
 * Milliseconds to wait after so many failures in a row: twice as many each time, and of those a
 * random part between a half and all, since everybody who lost a server at the same moment would
 * otherwise ask it again at the same moment.
 */
export function backoff(
  { unit }: Pick<Random, "unit">,
  failures: number,
  { first, longest }: BackoffLimits,
): number {
  return Math.min(longest, first * 2 ** Math.max(0, failures - 1)) * (0.5 + unit() / 2);
}
