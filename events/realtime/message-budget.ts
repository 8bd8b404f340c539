/**
 * What a hosted plan lets through and we plan to use: broadcasts share it with notices, presence
 * and other documents.
 */
const share = 0.5;
/** The smallest plan's messages per second, taken for granted once a server has closed a channel for too many. */
const smallestLimit = 100;
const longest = 10_000;

/**
 * Milliseconds between two broadcasts of one tab so that `typists` writing to `listeners` stay within the limit: every
 * delivery counts. 0, which sends every letter at once, as long as no limit is known and none was ever hit.
 */
export function flushInterval(input: {
  listeners: number;
  typists: number;
  limit: number | null;
  limitHits: number;
}): number {
  const limit = input.limit ?? (input.limitHits > 0 ? smallestLimit : null);
  if (limit === null) return 0;
  // A letter goes out once and in to every listener, and a caret comes along with it.
  const messages = 2 * Math.max(1, input.typists) * (1 + input.listeners);
  const interval = (messages * 1_000) / (limit * share);
  return Math.min(longest, Math.ceil((interval * 2 ** input.limitHits) / 10) * 10);
}
