/** The letters of a text as words are compared by: without spaces, capitals and what nobody sees. */
export function bareLetters(text: string): string {
  return text.toLowerCase().replace(/[\s\u200b-\u200f\u2060\ufeff]+/gu, "");
}

/** The pieces of so many letters that stand together in some texts, by which copies of parts of them are known. */
export class LetterGrams {
  /** How many letters a piece has; 0 where the texts are too short for any. */
  readonly size: number;
  private readonly known = new Set<string>();

  /** `texts` are bare; a text below `least` letters has no pieces, one below `most` is a piece as a whole. */
  constructor(texts: readonly string[], least: number, most: number) {
    const long = texts.filter((text) => text.length >= least);
    this.size = long.length === 0 ? 0 : Math.min(most, ...long.map((text) => text.length));
    for (const text of long)
      for (let at = 0; at + this.size <= text.length; at += 1)
        this.known.add(text.slice(at, at + this.size));
  }

  /** Where pieces begin in bare letters, in order. */
  *placesIn(letters: string): Generator<number> {
    if (this.size === 0) return;
    for (let at = 0; at + this.size <= letters.length; at += 1)
      if (this.known.has(letters.slice(at, at + this.size))) yield at;
  }

  /** How many of some bare letters stand in pieces. */
  countIn(letters: string): number {
    let [count, end] = [0, 0];
    for (const at of this.placesIn(letters)) {
      count += at + this.size - Math.max(at, end);
      end = at + this.size;
    }
    return count;
  }
}
