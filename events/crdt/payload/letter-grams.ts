/**
 * Returns the letters of a text for comparison: lower case, without white space or invisible
 * characters.
 */
export function bareLetters(text: string): string {
  return text.toLowerCase().replace(/[\s\u200b-\u200f\u2060\ufeff]+/gu, "");
}

/** All n-grams of some texts, used to recognize copies of parts of these texts. */
export class LetterGrams {
  /** The number of letters in an n-gram, or 0 if the texts are too short for any. */
  readonly size: number;
  private readonly known = new Set<string>();

  /**
   * `texts` are bare letters. A text of fewer than `least` letters has no n-grams. The shortest of
   * the other texts limits their size, which is at most `most`.
   */
  constructor(texts: readonly string[], least: number, most: number) {
    const long = texts.filter((text) => text.length >= least);
    this.size = long.length === 0 ? 0 : Math.min(most, ...long.map((text) => text.length));
    for (const text of long)
      for (let at = 0; at + this.size <= text.length; at += 1)
        this.known.add(text.slice(at, at + this.size));
  }

  /** Yields the positions of known n-grams in bare letters, ascending. */
  *placesIn(letters: string): Generator<number> {
    if (this.size === 0) return;
    for (let at = 0; at + this.size <= letters.length; at += 1)
      if (this.known.has(letters.slice(at, at + this.size))) yield at;
  }

  /** Counts the bare letters that are part of known n-grams. */
  countIn(letters: string): number {
    let [count, end] = [0, 0];
    for (const at of this.placesIn(letters)) {
      count += at + this.size - Math.max(at, end);
      end = at + this.size;
    }
    return count;
  }
}
