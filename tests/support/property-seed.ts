import fc from "fast-check";

/**
 * The seed of every property. All runs of `npm test` share one, so that results are repeatable;
 * each round of `npm run test:soak` uses another, to search further.
 */
const seed = Number(process.env.PROPERTY_SEED ?? 20_261_123);

fc.configureGlobal({ seed });
