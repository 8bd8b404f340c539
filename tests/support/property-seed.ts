import fc from "fast-check";

/**
 * The seed of every property. All runs of `npm test` share one seed, so that results are
 * repeatable. Each round of `npm run test:soak` uses another seed, to search further.
 */
const seed = Number(process.env.PROPERTY_SEED ?? 20_261_123);

fc.configureGlobal({ seed });
