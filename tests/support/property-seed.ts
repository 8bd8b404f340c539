import fc from "fast-check";

/**
 * The seed of every property: one for all runs of `npm test`, so that a run that passed passes
 * again and what a property must have met is met; another for each round of `npm run test:soak`,
 * which looks further.
 */
const seed = Number(process.env.PROPERTY_SEED ?? 20_261_123);

fc.configureGlobal({ seed });
