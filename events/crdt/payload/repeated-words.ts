import { bareLetters, LetterGrams } from "./letter-grams";

/** So many letters that stand together in both are no chance; a letter or two are in everything. */
const together = { least: 3, enough: 6 };

/** So many events may be redacted together with one: a request holds 200. */
export const mostAlong = 199;

/**
 * Whether a text repeats words: six letters that stand together in both, space and capitals aside,
 * or all of the shorter one where it is shorter.
 */
export function repeats(text: string, words: string): boolean {
  const [one, other] = [bareLetters(text), bareLetters(words)].sort((a, b) => a.length - b.length);
  if (!one || !other) return false;
  // The pieces are the shorter one's: the longer one, which may have millions of letters, is gone through once.
  return (
    new LetterGrams([one], together.least, together.enough).placesIn(other).next().done !== true
  );
}
