/**
 * The seed of a fault test's random choices. `npm test` makes the same ones each time, so that a run that passed passes
 * again; `SOAK=1` makes new ones, and `SEED` repeats those of a run that failed.
 */
export const seed = Number(
  process.env["SEED"] ??
    (process.env["SOAK"] === "1" ? Math.floor(Math.random() * 2 ** 31) : 20_261_123),
);
