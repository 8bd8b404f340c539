import * as Y from "yjs";
import { fromBase64 } from "@/events/core/base64";
import { type Letters, type Spot } from "@/events/crdt/updates/letters";

/** Which words something is about: Yjs relative positions in base64, and what the words were. */
export type Anchor = { start: string; end: string; quote: string };

/** A text in which anchors are looked for: the document now, or as it was at a revision. */
export type AnchoredText = {
  /** What stands in each textblock, in the order of the page. */
  readonly letters: Letters;
  /** Where a character stands, or would if it were not deleted; null where nobody can tell any more. */
  spotOf(client: number, clock: number): (Spot & { stands: boolean }) | null;
};

/**
 * standing: the words are there, perhaps reworded; found: they went, and the same words stand there again; gone: they
 * went, from `at` if that is known.
 */
export type Where =
  { state: "standing" | "found"; from: Spot; to: Spot } | { state: "gone"; at: Spot | null };

type Id = { client: number; clock: number };

function idOf(position: string): Id | null {
  try {
    const { item } = Y.decodeRelativePosition(fromBase64(position));
    return item && { client: item.client, clock: item.clock };
  } catch {
    // Whatever somebody's client has written there, it is no place.
    return null;
  }
}

/** Finds an anchor's words: by their own characters, and where those are gone by what they read. */
export function whereIs({ start, end, quote }: Anchor, { letters, spotOf }: AnchoredText): Where {
  const spots = [start, end].map((position) => {
    const id = idOf(position);
    return id && spotOf(id.client, id.clock);
  });
  const stood = spots.find((spot) => spot !== null) ?? null;
  const at = stood && { textblock: stood.textblock, offset: stood.offset };
  // A textblock that is gone, or in which nothing is left, takes its part of the words with it; the
  // rest is in other textblocks.
  const [head, tail] = spots.map((spot) =>
    spot && (spot.stands || letters.textOf(spot.textblock) !== "") ? spot : null,
  );
  const from = head ?? (tail && letters.quoteBegin(quote, tail.textblock));
  const to = tail
    ? { textblock: tail.textblock, offset: tail.offset + (tail.stands ? 1 : 0) }
    : head && letters.quoteEnd(quote, head.textblock);
  if (!from || !to || letters.isEmpty(from, to)) {
    const again = letters.nearest(quote, at ? letters.indexOf(at) : 0);
    return again ? { state: "found", ...again } : { state: "gone", at };
  }
  const words = { from: { textblock: from.textblock, offset: from.offset }, to };
  if (head?.stands && tail?.stands) return { state: "standing", ...words };
  // What was put back has other characters, and reads the same. With both ends gone it may have come back anywhere.
  const bothEndsGone = !head?.stands && !tail?.stands;
  const again =
    letters.touching(quote, from, to, {
      first: head?.stands === true,
      last: tail?.stands === true,
    }) ?? (bothEndsGone ? letters.nearest(quote, letters.indexOf(from)) : null);
  if (again) return { state: "found", ...again };
  // And others may have written all that is between them now.
  if (bothEndsGone && !letters.hasPartOf(quote, from, to)) return { state: "gone", at };
  return { state: "standing", ...words };
}
