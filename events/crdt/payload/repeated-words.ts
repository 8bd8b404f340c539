import { bareLetters, LetterGrams } from "./letter-grams";

/** An n-gram of this size in both texts is no coincidence. Most texts share shorter ones. */
const together = { least: 3, enough: 6 };

/** The most events that can be redacted along with another one: a request holds 200 events. */
export const mostAlong = 199;

/**
 * Whether a text repeats words: the two share six consecutive letters, ignoring white space and
 * case. If one of them has fewer letters, the other must contain them all.
 */
export function repeats(text: string, words: string): boolean {
  const [one, other] = [bareLetters(text), bareLetters(words)].sort((a, b) => a.length - b.length);
  if (!one || !other) return false;
  // The n-grams come from the shorter text, so that the longer one, possibly millions of letters,
  // is scanned only once.
  return (
    new LetterGrams([one], together.least, together.enough).placesIn(other).next().done !== true
  );
}
