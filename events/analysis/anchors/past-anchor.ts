import { type AnchoredText } from "./anchor";
import { Letters } from "@/events/crdt/updates/letters";
import { type Script, standsAt, textAt } from "@/events/history/timeline/script";

/** A document as it was at a moment, as a text to find anchors in; its lines are the script's. */
export function pastText({ lines, placeOf }: Script, at: number): AnchoredText {
  return {
    letters: new Letters(lines.length, (index) => {
      const line = lines[index];
      return line ? textAt(line, at) : "";
    }),
    spotOf(client, clock) {
      const place = placeOf(client, clock);
      const line = place && lines[place.line];
      if (!place || !line) return null;
      return {
        line: place.line,
        offset: textAt(line, at, 0, place.offset).length,
        stands: standsAt(line, place.offset, at),
      };
    },
  };
}
