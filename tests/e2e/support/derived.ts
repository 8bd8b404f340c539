/**
 * Limit, in ms, within which the service derives links and the search index on a busy machine;
 * usually it takes seconds.
 */
export const derivedWithin = 150_000;
