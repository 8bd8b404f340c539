import { type AnchoredText } from "./anchor";
import { Letters } from "@/events/crdt/updates/letters";
import { type Script, standsAt, textAt } from "@/events/history/timeline/script";

/** A document as it was at a revision, as a text to find anchors in; its textblocks are the script's. */
export function pastText({ textblocks, placeOf }: Script, at: number): AnchoredText {
  return {
    letters: new Letters(textblocks.length, (index) => {
      const textblock = textblocks[index];
      return textblock ? textAt(textblock, at) : "";
    }),
    spotOf(client, clock) {
      const place = placeOf(client, clock);
      const textblock = place && textblocks[place.textblock];
      if (!place || !textblock) return null;
      return {
        textblock: place.textblock,
        offset: textAt(textblock, at, 0, place.offset).length,
        stands: standsAt(textblock, place.offset, at),
      };
    },
  };
}
