import { bareLetters, LetterGrams } from "./letter-grams";

/** An n-gram of this size in both texts is no coincidence; a letter or two are in everything. */
const together = { least: 3, enough: 6 };

/** The most events that can be redacted along with one: a request holds 200. */
export const mostAlong = 199;

/**
 * Whether a text repeats words: they share six consecutive letters, ignoring white space and case,
 * or all of the shorter text if that has fewer.
 */
export function repeats(text: string, words: string): boolean {
  const [one, other] = [bareLetters(text), bareLetters(words)].sort((a, b) => a.length - b.length);
  if (!one || !other) return false;
  // The n-grams are of the shorter text, so that the longer one, possibly millions of letters, is
  // scanned once.
  return (
    new LetterGrams([one], together.least, together.enough).placesIn(other).next().done !== true
  );
}
