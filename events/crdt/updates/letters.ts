import { lastUpTo } from "@/events/core/binary-search";
import { withoutSpace } from "@/events/core/plain-place";

/** A position between two characters of a textblock. */
export type Spot = { textblock: number; offset: number };

export type Stretch = { from: Spot; to: Spot };

const enough = 3;
/** The most matches that are tried on either side of a position. */
const mostTries = 1_000;
/** The distance, in letters, between cached offsets within a textblock. */
const stride = 1_024;
const space = /\s/;

/** Returns a quotation's lines, one for each textblock, without white space. */
const linesOf = (quote: string): string[] => quote.split("\n").map(withoutSpace);

/**
 * Returns the start of the last match of `needle` that begins before `end`, found by repeated
 * halving. Returns -1 if there is none.
 */
function lastBefore(text: string, needle: string, end: number): number {
  let found = -1;
  for (let [low, high] = [0, end]; low < high;) {
    const middle = (low + high) >> 1;
    const at = text.slice(middle, high - 1 + needle.length).indexOf(needle);
    if (at < 0) high = middle;
    else low = (found = middle + at) + 1;
  }
  return found;
}

/**
 * The textblocks of a text, searched without regard to white space, so that words match even if
 * textblocks are split or joined. Reads textblocks lazily.
 */
export class Letters {
  readonly count: number;
  private readonly read: (textblock: number) => string;
  private readonly texts = new Map<number, string>();
  private readonly strides = new Map<number, readonly number[]>();
  private joined: { text: string; starts: number[] } | null = null;

  /** `read` returns a textblock's text. */
  constructor(count: number, read: (textblock: number) => string) {
    this.count = count;
    this.read = read;
  }

  textOf(index: number): string {
    const known = this.texts.get(index);
    if (known !== undefined) return known;
    const text = this.read(index);
    this.texts.set(index, text);
    return text;
  }

  /**
   * Returns where a quotation begins if its last line is in this textblock and its first line is
   * gone. The quotation includes the textblocks above that match its other lines.
   */
  quoteBegin(quote: string, { textblock }: Spot): Spot {
    const lines = linesOf(quote);
    let first = textblock;
    for (let line = lines.length - 2; line > 0 && first > 0; line -= 1) {
      if (withoutSpace(this.textOf(first - 1)) !== lines[line]) break;
      first -= 1;
    }
    return { textblock: first, offset: 0 };
  }

  /** Returns where a quotation ends if its first line is in this textblock and its last is gone. */
  quoteEnd(quote: string, { textblock }: Spot): Spot {
    const lines = linesOf(quote);
    let last = textblock;
    for (let line = 1; line < lines.length - 1 && last + 1 < this.count; line += 1) {
      if (withoutSpace(this.textOf(last + 1)) !== lines[line]) break;
      last += 1;
    }
    return { textblock: last, offset: this.textOf(last).length };
  }

  /** Returns the first `most` UTF-16 units between two positions, textblocks on own lines. */
  between(from: Spot, to: Spot, most = Infinity): string {
    if (from.textblock === to.textblock)
      return this.textOf(from.textblock).slice(from.offset, to.offset).slice(0, most);
    let text = this.textOf(from.textblock).slice(from.offset);
    for (let at = from.textblock + 1; at <= to.textblock && text.length < most; at += 1) {
      const next = this.textOf(at);
      text += `\n${at === to.textblock ? next.slice(0, to.offset) : next}`;
    }
    return text.slice(0, most);
  }

  /** Whether two positions have no letter between them, or are in reverse order. */
  isEmpty(from: Spot, to: Spot): boolean {
    if (
      from.textblock > to.textblock ||
      (from.textblock === to.textblock && from.offset >= to.offset)
    )
      return true;
    for (let textblock = from.textblock; textblock <= to.textblock; textblock += 1) {
      const text = this.textOf(textblock);
      if (
        text
          .slice(
            textblock === from.textblock ? from.offset : 0,
            textblock === to.textblock ? to.offset : text.length,
          )
          .trim() !== ""
      )
        return false;
    }
    return true;
  }

  /** Counts the letters before a position. */
  indexOf({ textblock, offset }: Spot): number {
    return (
      (this.all().starts[textblock] ?? 0) +
      withoutSpace(this.textOf(textblock).slice(0, offset)).length
    );
  }

  /** Returns the position before the letter at an index, or null if there is no such letter. */
  spotBefore(letter: number): Spot | null {
    return letter >= 0 && letter < this.all().text.length ? this.spotAt(letter) : null;
  }

  /** Finds a quotation nearest to a letter index, among the ranges that `may` accepts. */
  nearest(quote: string, near: number, may: (stretch: Stretch) => boolean): Stretch | null {
    const needle = withoutSpace(quote);
    if (needle === "") return null;
    const { text } = this.all();
    const taken = (step: (at: number) => number, first: number): number => {
      let at = first;
      // A text may match the quotation at every letter, with overlaps, so the attempts are limited.
      for (let tries = 0; at >= 0; at = step(at)) {
        if (may(this.stretchOf(at, needle))) return at;
        if ((tries += 1) === mostTries) return -1;
      }
      return -1;
    };
    const before = taken(
      (at) => lastBefore(text, needle, at),
      lastBefore(text, needle, Math.min(near, text.length)),
    );
    const after = taken((at) => text.indexOf(needle, at + 1), text.indexOf(needle, near));
    if (before < 0 && after < 0) return null;
    const isBefore = after < 0 || (before >= 0 && near - before <= after - near);
    return this.stretchOf(isBefore ? before : after, needle);
  }

  /**
   * Returns the match of a quotation that touches a range and begins nearest to the range's
   * beginning, among the matches that `may` accepts. `own.first` and `own.last` require that the
   * match shares the range's first or last letter.
   */
  touching(
    quote: string,
    from: Spot,
    to: Spot,
    own: { first: boolean; last: boolean; may: (stretch: Stretch) => boolean },
  ): Stretch | null {
    const needle = withoutSpace(quote);
    if (needle === "") return null;
    const [first, last] = [this.indexOf(from), this.indexOf(to)];
    const { text } = this.all();
    let found: number | null = null;
    for (
      let start = text.indexOf(needle, first - needle.length);
      start >= 0 && start <= last;
      start = text.indexOf(needle, start + 1)
    ) {
      const fits = (!own.first || start === first) && (!own.last || start + needle.length === last);
      if (
        fits &&
        (found === null || Math.abs(start - first) < Math.abs(found - first)) &&
        own.may(this.stretchOf(start, needle))
      )
        found = start;
    }
    return found === null ? null : this.stretchOf(found, needle);
  }

  /**
   * Whether a range still contains part of a quotation: three consecutive letters, or the whole of
   * a shorter quotation.
   */
  hasPartOf(quote: string, from: Spot, to: Spot): boolean {
    const needle = withoutSpace(quote);
    const text = withoutSpace(this.between(from, to));
    const length = Math.min(enough, needle.length);
    for (let at = 0; at + length <= needle.length; at += 1)
      if (text.includes(needle.slice(at, at + length))) return true;
    return false;
  }

  private stretchOf(start: number, needle: string): Stretch {
    const last = this.spotAt(start + needle.length - 1);
    return { from: this.spotAt(start), to: { textblock: last.textblock, offset: last.offset + 1 } };
  }

  private all(): { text: string; starts: number[] } {
    if (this.joined) return this.joined;
    const starts: number[] = [];
    let text = "";
    for (let textblock = 0; textblock < this.count; textblock += 1) {
      starts.push(text.length);
      text += withoutSpace(this.textOf(textblock));
    }
    this.joined = { text, starts };
    return this.joined;
  }

  /** Returns the position before the letter at an index. */
  private spotAt(index: number): Spot {
    const { starts } = this.all();
    const textblock = lastUpTo(starts, index);
    const text = this.textOf(textblock);
    const letter = index - (starts[textblock] ?? 0);
    const strides = this.stridesOf(textblock);
    let offset = strides[Math.floor(letter / stride)] ?? text.length;
    for (let left = letter % stride; offset < text.length; offset += 1) {
      if (space.test(text[offset] ?? "")) continue;
      if (left === 0) break;
      left -= 1;
    }
    return { textblock, offset };
  }

  /** Returns the offset of every `stride`-th letter. A textblock may be as long as a book. */
  private stridesOf(textblock: number): readonly number[] {
    const known = this.strides.get(textblock);
    if (known) return known;
    const strides: number[] = [];
    let count = 0;
    const text = this.textOf(textblock);
    for (let offset = 0; offset < text.length; offset += 1) {
      if (space.test(text[offset] ?? "")) continue;
      if (count % stride === 0) strides.push(offset);
      count += 1;
    }
    this.strides.set(textblock, strides);
    return strides;
  }
}
