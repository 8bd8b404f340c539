/**
 * Returns how many random cases of a property (histories, seeds, letters) are tested. `npm test`
 * runs a third, always the same ones. `npm run test:soak` and a file that runs alone test them all.
 */
export const cases = (all: number): number =>
  process.env["WITHOUT_SOAK"] === undefined ? all : Math.ceil(all / 3);
