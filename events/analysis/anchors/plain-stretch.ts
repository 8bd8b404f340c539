import type { PlainPlace } from "@/events/core/plain-place";
import type { Stretch } from "@/events/crdt/updates/letters";
import { whereIs, type Anchor, type AnchoredText } from "./anchor";

/** The place of an anchor's words; null where they are gone. */
export function placeOf(anchor: Anchor, text: AnchoredText): PlainPlace | null {
  const where = whereIs(anchor, text);
  if (where.state === "gone") return null;
  const { letters } = text;
  return { from: letters.indexOf(where.from), to: letters.indexOf(where.to) };
}

/** The words at a place, in the same text however it was written; null where there are none. */
export function stretchAt(
  { from, to }: PlainPlace,
  { letters }: Pick<AnchoredText, "letters">,
): Stretch | null {
  const [first, last] = [letters.spotBefore(from), letters.spotBefore(to - 1)];
  return from < to && first && last
    ? { from: first, to: { textblock: last.textblock, offset: last.offset + 1 } }
    : null;
}
