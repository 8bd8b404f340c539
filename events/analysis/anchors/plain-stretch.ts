import { withoutSpace } from "@/events/core/plain-place";
import type { PlainPlace } from "@/events/core/plain-place";
import type { Stretch } from "@/events/crdt/updates/letters";
import { whereIs } from "./anchor";
import type { Anchor, AnchoredText } from "./anchor";

/** Returns the place of an anchor's words, or null if they are gone. */
export function placeOf(anchor: Anchor, text: AnchoredText): PlainPlace | null {
  const where = whereIs(anchor, text);
  if (where.state === "gone") return null;
  const { letters } = text;
  return { from: letters.indexOf(where.from), to: letters.indexOf(where.to) };
}

/** Returns the range at a place, in the same text with any formatting. Null if there is none. */
export function stretchAt(
  { from, to }: PlainPlace,
  { letters }: Pick<AnchoredText, "letters">,
): Stretch | null {
  const [first, last] = [letters.spotBefore(from), letters.spotBefore(to - 1)];
  return from < to && first && last
    ? { from: first, to: { textblock: last.textblock, offset: last.offset + 1 } }
    : null;
}

/**
 * Returns the range of `words` if they stand at exactly this letter index of a text. Null if other
 * words stand there, even if the same words stand elsewhere.
 */
export function wordsAt(
  words: string,
  near: number,
  text: Pick<AnchoredText, "letters">,
): Stretch | null {
  const wanted = withoutSpace(words);
  const stretch = stretchAt({ from: near, to: near + wanted.length }, text);
  const found = stretch && withoutSpace(text.letters.between(stretch.from, stretch.to));
  return found === wanted ? stretch : null;
}

/** Whether the place of an anchor's words reads exactly like `words`, ignoring white space. */
export function standsWhole(anchor: Anchor, words: string, text: AnchoredText): boolean {
  const where = whereIs(anchor, text);
  if (where.state === "gone") return false;
  return withoutSpace(text.letters.between(where.from, where.to)) === withoutSpace(words);
}
