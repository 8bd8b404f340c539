/**
 * The share of a plan's limit that broadcasts may use. Notices, presence and other documents use
 * the rest.
 */
const share = 0.5;
/**
 * The smallest plan's messages per second, assumed once a server has closed a channel for too many
 * messages.
 */
const smallestLimit = 100;
const longest = 10_000;

/**
 * Returns the milliseconds between two broadcasts of one tab, such that `typists` writing to
 * `listeners` stay within the limit. Every delivery counts. Returns 0, which sends every letter at
 * once, while no limit is known or was ever hit.
 */
export function flushInterval(input: {
  listeners: number;
  typists: number;
  limit: number | null;
  limitHits: number;
}): number {
  const limit = input.limit ?? (input.limitHits > 0 ? smallestLimit : null);
  if (limit === null) return 0;
  // A broadcast counts once for its sender and once for every listener, and a caret accompanies
  // each broadcast.
  const messages = 2 * Math.max(1, input.typists) * (1 + input.listeners);
  const interval = (messages * 1_000) / (limit * share);
  return Math.min(longest, Math.ceil((interval * 2 ** input.limitHits) / 10) * 10);
}
