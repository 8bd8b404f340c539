const digits = "0123456789abcdef";
const wholeLength = 8;
const middle = "80000000";

/** The maximum length of a rank, which is the same gap halved some four thousand times. */
export const longestRank = 1000;

/**
 * Returns a rank between two others in string order; null means before or after all. A rank has
 * eight hexadecimal digits, and more only where eight do not fit in between. `private.rank_between`
 * in SQL applies the same rule.
 */
export function rankBetween(low: string | null, high: string | null): string {
  const near = low ?? high;
  if (near === null) return middle;
  const whole = parseInt(near.slice(0, wholeLength), 16) + (low === null ? -1 : 1);
  const beside = whole.toString(16).padStart(wholeLength, "0");
  if (low === null || high === null || beside < high) return beside;
  let found = low.slice(0, wholeLength);
  let end = high.startsWith(found) ? high : null;
  for (;;) {
    // The end of a rank sorts before every digit.
    const lesser = digits.indexOf(low.charAt(found.length));
    const greater = end === null ? 16 : digits.indexOf(end.charAt(found.length));
    if (greater - lesser > 1) return found + digits.charAt((lesser + greater) >> 1);
    found += digits.charAt(lesser);
    if (greater > lesser) end = null;
  }
}
