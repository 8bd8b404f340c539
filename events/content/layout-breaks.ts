/** A block of text with more letters than this is laid out in pieces. */
export const longestBlock = 8_000;
/**
 * How long a piece is when it is made; it is cut again when it is twice as long, and joined with
 * its neighbour when a quarter is left. There are never many: to draw one more, ProseMirror copies
 * all the letters behind it, at each letter that is written.
 */
const pieceOf = (size: number) => Math.max(longestBlock / 2, Math.ceil(size / 40));

/** What marks such a place in the page; the style sheet gives it a line of no height. */
export const layoutBreakClass = "layout-break";

/** What stands for a line break or another leaf, so that a place in the letters is a place in the block. */
export const leaf = "\ufffc";

const sentenceEnd = /[.!?…]["'”’»)\]]*[\s\ufffc]+|[。！？]|[\n\ufffc]/g;
// A no-break space keeps its neighbours on one line.
const wordEnd = /[^\S\u00a0\u202f]+|\ufffc/g;
const lineEnd = /\n/g;

function lastEnd(text: string, pattern: RegExp): number {
  let end = -1;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/** The last place in a text that is not within what a reader takes for one letter. */
function lastWholeLetter(text: string): number {
  // Half of a surrogate pair would be taken for a letter of its own.
  const whole = text.replace(/[\ud800-\udbff]$/, "");
  const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(whole);
  return letters.containing(whole.length - 1)?.index ?? 0;
}

/** Where a piece ends that begins before this text: behind a line of code or a sentence, else a word, else a letter. */
export function endWithin(text: string, code: boolean): number {
  for (const pattern of code ? [lineEnd, wordEnd] : [sentenceEnd, wordEnd]) {
    const end = lastEnd(text, pattern);
    if (end > 0) return end;
  }
  return lastWholeLetter(text) || text.length;
}

type TextOf = (from: number, to: number) => string;

/**
 * The places at which a block of text is laid out anew, so that a letter costs the layout of a
 * piece and not of the whole. `standing` are the places so far: each stays unless its piece has
 * become too short, so that pieces which nobody writes in stay as they are drawn.
 */
export function layoutBreaks(
  size: number,
  textOf: TextOf,
  code: boolean,
  standing: readonly number[] = [],
): number[] {
  // A block that is written in at the bound is not laid out now this way, now the other.
  if (size <= (standing.length > 0 ? (longestBlock * 3) / 4 : longestBlock)) return [];
  const piece = pieceOf(size);
  const breaks: number[] = [];
  let begin = 0;
  for (const end of [...standing, size]) {
    if (end - begin < piece / 4) {
      if (end === size) breaks.pop();
      continue;
    }
    for (let rest = end - begin > 2 * piece; rest; rest = end - begin > piece * 1.5) {
      const least = begin + piece - 1_000;
      begin = least + endWithin(textOf(least, begin + piece), code);
      breaks.push(begin);
    }
    if (end < size) breaks.push(end);
    begin = end;
  }
  return breaks;
}
