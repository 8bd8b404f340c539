/**
 * The letters of a text for comparison: lower case, without white space or invisible characters.
 */
export function bareLetters(text: string): string {
  return text.toLowerCase().replace(/[\s\u200b-\u200f\u2060\ufeff]+/gu, "");
}

/** All n-grams of some texts, by which copies of their parts are recognized. */
export class LetterGrams {
  /** The letters of an n-gram; 0 if the texts are too short for any. */
  readonly size: number;
  private readonly known = new Set<string>();

  /**
   * `texts` are bare letters. A text of fewer than `least` letters has no n-grams; the shortest
   * other text limits their size, which is at most `most`.
   */
  constructor(texts: readonly string[], least: number, most: number) {
    const long = texts.filter((text) => text.length >= least);
    this.size = long.length === 0 ? 0 : Math.min(most, ...long.map((text) => text.length));
    for (const text of long)
      for (let at = 0; at + this.size <= text.length; at += 1)
        this.known.add(text.slice(at, at + this.size));
  }

  /** The positions of known n-grams in bare letters, ascending. */
  *placesIn(letters: string): Generator<number> {
    if (this.size === 0) return;
    for (let at = 0; at + this.size <= letters.length; at += 1)
      if (this.known.has(letters.slice(at, at + this.size))) yield at;
  }

  /** How many bare letters are part of known n-grams. */
  countIn(letters: string): number {
    let [count, end] = [0, 0];
    for (const at of this.placesIn(letters)) {
      count += at + this.size - Math.max(at, end);
      end = at + this.size;
    }
    return count;
  }
}
