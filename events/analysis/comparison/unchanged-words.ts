import { appendAll } from "@/events/core/append-all";
import { shortestMove } from "./comparison";
import { tokenPattern } from "./revision-tokens";
import type { Token } from "./revision-tokens";
import { finished } from "./paused-work";
import { stepsBetween } from "./token-match";

/**
 * Letters that were deleted and rewritten: `length` letters, beginning at `from` in the deleted
 * text and at `to` in the new text.
 */
type UnchangedText = { from: number; to: number; length: number };

function tokensOf(texts: readonly string[], first: number): Token[] {
  let unit = first;
  return texts.flatMap((each) =>
    Array.from(each.matchAll(tokenPattern), ([text]): Token => {
      unit += text.length;
      return { text, unit: unit - text.length, stretches: [], frame: null, still: null };
    }),
  );
}

function lengthOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { text }) => sum + text.length, 0);
}

/** The tokens between two pairs of equal words, contiguous on each side. */
type Gap = { gone: Token[]; come: Token[] };

/** Matches a word that was split in two, or joined from two, by its beginning and its end. */
function edgesOf({ gone, come }: Gap, whole: number): UnchangedText[] {
  const [a, b, lastA, lastB] = [gone[0], come[0], gone.at(-1), come.at(-1)];
  if (!a || !b || !lastA || !lastB) return [];
  const found: UnchangedText[] = [];
  const begins = a.text.startsWith(b.text) || b.text.startsWith(a.text);
  const head = begins ? Math.min(a.text.length, b.text.length) : 0;
  if (head > 0) found.push({ from: a.unit, to: b.unit - whole, length: head });
  const ends = lastA.text.endsWith(lastB.text) || lastB.text.endsWith(lastA.text);
  const tail = ends ? Math.min(lastA.text.length, lastB.text.length) : 0;
  const shorter = Math.min(lengthOf(gone), lengthOf(come)) - head;
  if (tail > 0 && tail <= shorter)
    found.push({
      from: lastA.unit + lastA.text.length - tail,
      to: lastB.unit + lastB.text.length - tail - whole,
      length: tail,
    });
  return found;
}

/** Returns moved words that are long enough to be recognized and occur only once. */
function movesOf(gaps: readonly Gap[], whole: number): UnchangedText[] {
  const passages = (side: keyof Gap) => {
    const byText = new Map<string, number | null>();
    for (const { [side]: tokens } of gaps) {
      const text = tokens.map((token) => token.text).join("");
      const words = text.trim();
      const from = (tokens[0]?.unit ?? 0) + text.length - text.trimStart().length;
      if (words.length >= shortestMove) byText.set(words, byText.has(words) ? null : from);
    }
    return byText;
  };
  const arrived = passages("come");
  return [...passages("gone")].flatMap(([words, from]) => {
    const to = arrived.get(words) ?? null;
    return from === null || to === null ? [] : [{ from, to: to - whole, length: words.length }];
  });
}

/**
 * Returns the letters of deleted textblocks that stand again in new ones. The same words in the
 * same order are found as in a comparison of revisions, across splits and joins of textblocks.
 * Moved passages are found too. Each letter is matched at most once.
 */
export function unchangedWords(gone: readonly string[], come: readonly string[]): UnchangedText[] {
  const [before, after] = [gone.join(""), come.join("")];
  if (before === "" || after === "") return [];
  if (before === after) return [{ from: 0, to: 0, length: before.length }];
  const whole = before.length;
  const unchanged: UnchangedText[] = [];
  const gaps: Gap[] = [];
  let open: Gap = { gone: [], come: [] };
  const close = () => {
    const edges = edgesOf(open, whole);
    appendAll(unchanged, edges);
    if (edges.length === 0) gaps.push(open);
    open = { gone: [], come: [] };
  };
  for (const { a, b } of finished(stepsBetween(tokensOf(gone, 0), tokensOf(come, whole)))) {
    if (a && b) {
      close();
      unchanged.push({ from: a.unit, to: b.unit - whole, length: a.text.length });
    } else if (a) open.gone.push(a);
    else if (b) open.come.push(b);
  }
  close();
  return [...unchanged, ...movesOf(gaps, whole)];
}
