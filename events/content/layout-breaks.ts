/** The most letters of a text block without layout breaks. Longer blocks are laid out in pieces. */
export const longestBlock = 8_000;
/**
 * Returns the length of a new piece. A piece is split when it is twice as long, and joined with its
 * neighbour when it is a quarter as long. Pieces are few, because ProseMirror copies all letters
 * after each piece at every typed letter.
 */
const pieceOf = (size: number) => Math.max(longestBlock / 2, Math.ceil(size / 40));

/** The class of a layout break in the page, to which the style sheet gives a line of no height. */
export const layoutBreakClass = "layout-break";

/**
 * Stands for a line break or another leaf, so that offsets in the string equal offsets in the
 * block.
 */
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

/** Returns the last offset in a text that does not split a grapheme. */
function lastWholeLetter(text: string): number {
  // Half of a surrogate pair would count as a grapheme of its own.
  const whole = text.replace(/[\ud800-\udbff]$/, "");
  const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(whole);
  return letters.containing(whole.length - 1)?.index ?? 0;
}

/**
 * Returns the offset in this text at which a piece ends: after a line of code or a sentence, else
 * after a word, else after a letter. The piece begins before this text.
 */
export function endWithin(text: string, code: boolean): number {
  for (const pattern of code ? [lineEnd, wordEnd] : [sentenceEnd, wordEnd]) {
    const end = lastEnd(text, pattern);
    if (end > 0) return end;
  }
  return lastWholeLetter(text) || text.length;
}

type TextOf = (from: number, to: number) => string;

/**
 * Computes the layout breaks of a text block, so that a typed letter costs the layout of one piece
 * and not of the whole block. `standing` are the current breaks. Each break stays unless its piece
 * is too short, so that untouched pieces are not drawn again.
 */
export function layoutBreaks(
  size: number,
  textOf: TextOf,
  code: boolean,
  standing: readonly number[] = [],
): number[] {
  // Hysteresis: a block near the limit must not switch back and forth.
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
