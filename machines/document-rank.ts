const digits = "0123456789abcdef";
const wholeLength = 8;
const middle = "80000000";

/** Longer than this no rank becomes: halving the same gap some four thousand times. */
export const longestRank = 1000;

/**
 * A rank between two others (null: before or behind all), compared letter by letter: eight
 * hexadecimal digits that count, and behind them as many as it takes to come between. SQL has the
 * same (`private.rank_between`).
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
    // Behind the end of a text there is nothing, which stands first among the digits.
    const lesser = digits.indexOf(low.charAt(found.length));
    const greater = end === null ? 16 : digits.indexOf(end.charAt(found.length));
    if (greater - lesser > 1) return found + digits.charAt((lesser + greater) >> 1);
    found += digits.charAt(lesser);
    if (greater > lesser) end = null;
  }
}
