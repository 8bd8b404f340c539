/**
 * How many random cases of a property are tried (histories, seeds, letters): a third in `npm test`,
 * always the same ones; all in `npm run test:soak` and when a file runs alone.
 */
export const cases = (all: number): number =>
  process.env["WITHOUT_SOAK"] === undefined ? all : Math.ceil(all / 3);
