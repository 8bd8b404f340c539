/** The service derives links and the search index within some seconds, on a busy machine within so many ms. */
export const derivedWithin = 150_000;
