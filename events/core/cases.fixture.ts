/**
 * How many of the cases of a property are tried, random histories, seeds or letters: a third in
 * `npm test`, which tries the same ones each time, all in `npm run test:soak` and where a file runs alone.
 */
export const cases = (all: number): number =>
  process.env["WITHOUT_SOAK"] === undefined ? all : Math.ceil(all / 3);
