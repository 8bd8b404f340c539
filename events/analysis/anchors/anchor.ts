import * as Y from "yjs";
import { fromBase64 } from "@/events/core/bytes/base64";
import { withoutSpace } from "@/events/core/plain-place";
import type { Letters, Spot, Stretch } from "@/events/crdt/updates/letters";

/** An anchored passage: Yjs relative positions in base64, and the words that it had then. */
export type Anchor = { start: string; end: string; quote: string };

export type CharacterId = { client: number; clock: number };

/** A text in which anchors are located: the current document, or one at a revision. */
export type AnchoredText = {
  /** The text of each textblock, in page order. */
  readonly letters: Letters;
  /** Returns where a character stands, or would stand if not deleted. Null if that is unknown. */
  spotOf(client: number, clock: number): (Spot & { stands: boolean }) | null;
  /**
   * Returns where an anchor's words stand according to the history, if they were rewritten
   * elsewhere or restored. Null if they stand nowhere, or if no history is available.
   */
  continuationOf(anchor: Anchor): Stretch | null;
  /**
   * Whether a range that reads like an anchor's words may be these words, returned. Not if the
   * range stood there before they were deleted. `isBeside`: it touches the words' old place.
   */
  mayBe(anchor: Anchor, stretch: Stretch, isBeside: boolean): boolean;
};

/**
 * `standing`: the words stand, possibly reworded. `found`: the words were deleted and stand again.
 * `gone`: the words were deleted. `at` is the place where they stood, if known.
 */
export type Where =
  { state: "standing" | "found"; from: Spot; to: Spot } | { state: "gone"; at: Spot | null };

/** Returns the character that an anchor's `start` or `end` refers to. Null if invalid. */
export function characterOf(position: string): CharacterId | null {
  try {
    const { item } = Y.decodeRelativePosition(fromBase64(position));
    return item && { client: item.client, clock: item.clock };
  } catch {
    // A client may have written anything as a position.
    return null;
  }
}

/**
 * Locates an anchor's words by their own characters. If these are gone, follows the words to the
 * place where they were rewritten or restored. Equal words that always stood elsewhere never match.
 */
export function whereIs(anchor: Anchor, text: AnchoredText): Where {
  const { start, end, quote } = anchor;
  const { letters, spotOf } = text;
  const spots = [start, end].map((position) => {
    const id = characterOf(position);
    return id && spotOf(id.client, id.clock);
  });
  const stood = spots.find((spot) => spot !== null) ?? null;
  const at = stood && { textblock: stood.textblock, offset: stood.offset };
  // If a textblock was deleted or emptied, its part of the words is gone. The rest of the words is
  // in other textblocks.
  const [head, tail] = spots.map((spot) =>
    spot && (spot.stands || letters.textOf(spot.textblock) !== "") ? spot : null,
  );
  const from = head ?? (tail && letters.quoteBegin(quote, tail));
  const to = tail
    ? { textblock: tail.textblock, offset: tail.offset + (tail.stands ? 1 : 0) }
    : head && letters.quoteEnd(quote, head);
  const own = from && to && !letters.isEmpty(from, to) ? { from, to } : null;
  const words = own && {
    from: { textblock: own.from.textblock, offset: own.from.offset },
    to: own.to,
  };
  if (words && head?.stands && tail?.stands) return { state: "standing", ...words };
  const continuation = text.continuationOf(anchor);
  const readsWhole =
    continuation !== null &&
    withoutSpace(letters.between(continuation.from, continuation.to)) === withoutSpace(quote);
  if (readsWhole) return { state: "found", ...continuation };
  // Restored text has new characters, but reads the same.
  const place = words ?? (at && { from: at, to: at });
  const beside =
    place &&
    letters.touching(quote, place.from, place.to, {
      first: head?.stands === true,
      last: tail?.stands === true,
      may: (stretch) => text.mayBe(anchor, stretch, true),
    });
  const found = beside ?? continuation;
  if (found) return { state: "found", ...found };
  if (!words || (!head?.stands && !tail?.stands)) {
    // With both ends deleted, the words may have returned anywhere.
    const again = letters.nearest(quote, at ? letters.indexOf(at) : 0, (stretch) =>
      text.mayBe(anchor, stretch, false),
    );
    if (again) return { state: "found", ...again };
    // Other people may have written all of the text that now stands between the ends.
    if (!words || !letters.hasPartOf(quote, words.from, words.to)) return { state: "gone", at };
  }
  return { state: "standing", ...words };
}
