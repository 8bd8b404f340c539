/**
 * The time, in ms, within which the service derives links and the search index on a busy machine.
 * Usually this takes seconds.
 */
export const derivedWithin = 150_000;
