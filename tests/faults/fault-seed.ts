/**
 * The seed of a fault test's random choices. `npm test` always uses the same seed, so that results
 * are repeatable. `SOAK=1` uses new seeds, and `SEED` repeats the seed of a failed run.
 */
export const seed = Number(
  process.env["SEED"] ??
    (process.env["SOAK"] === "1" ? Math.floor(Math.random() * 2 ** 31) : 20_261_123),
);
