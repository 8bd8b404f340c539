import { withoutSpace } from "@/events/core/plain-place";
import type { PlainPlace } from "@/events/core/plain-place";
import type { Stretch } from "@/events/crdt/updates/letters";
import { whereIs } from "./anchor";
import type { Anchor, AnchoredText } from "./anchor";

/** The place of an anchor's words; null if they are gone. */
export function placeOf(anchor: Anchor, text: AnchoredText): PlainPlace | null {
  const where = whereIs(anchor, text);
  if (where.state === "gone") return null;
  const { letters } = text;
  return { from: letters.indexOf(where.from), to: letters.indexOf(where.to) };
}

/** The range at a place, in the same text however it is formatted; null if there is none. */
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
 * The range of `words` if they stand at exactly this letter index of a text; null if other words
 * do, whatever reads the same elsewhere.
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

/** Whether all of an anchor's words stand in a text. */
export function standsWhole(anchor: Anchor, words: string, text: AnchoredText): boolean {
  const where = whereIs(anchor, text);
  if (where.state === "gone") return false;
  return withoutSpace(text.letters.between(where.from, where.to)) === withoutSpace(words);
}
