import { bareLetters } from './letter-grams'

/** So many letters that stand together in both are no chance. */
const enough = 6

/** So many events may be redacted together with one: a request holds 200. */
export const mostAlong = 199

/** Whether a text repeats words: six letters that stand together in both, space and capitals aside, or all of the shorter one where it is shorter. */
export function repeats(text: string, words: string): boolean {
  const [one, other] = [bareLetters(text), bareLetters(words)].sort((a, b) => a.length - b.length)
  if (!one || !other) return false
  const length = Math.min(enough, one.length)
  // A letter or two are in everything.
  if (length < 3) return false
  for (let at = 0; at + length <= one.length; at += 1) if (other.includes(one.slice(at, at + length))) return true
  return false
}
