import type { Node } from "@tiptap/pm/model";
import type { AnchoredText } from "@/events/analysis/anchors/anchor";
import type { Spot } from "@/events/crdt/updates/letters";

/**
 * Returns the ranges of consecutive text nodes in a ProseMirror document. Each corresponds to a
 * textblock of the shared text.
 */
function runsOf(doc: Node): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  doc.descendants((node, position) => {
    if (!node.isText) return;
    const last = runs.at(-1);
    if (last?.to === position) last.to += node.nodeSize;
    else runs.push({ from: position, to: position + node.nodeSize });
  });
  return runs;
}

/** Maps between positions of an editor's document and spots of the shared text. */
type TextRuns = {
  positionOf(spot: Spot): number | null;
  /**
   * Returns the spot at a position. If there is none, returns the next spot (side 1) or the
   * previous spot (side -1).
   */
  spotOf(position: number, side: 1 | -1): Spot | null;
};

/** Pairs an editor's document with its shared text. Returns null while the two differ. */
export function textRuns(doc: Node, { letters }: AnchoredText): TextRuns | null {
  const runs = runsOf(doc);
  const textblocks = Array.from({ length: letters.count }, (_, textblock) => textblock).filter(
    (textblock) => letters.textOf(textblock) !== "",
  );
  if (runs.length !== textblocks.length) return null;
  const places = runs.map(({ from, to }, index) => ({
    from,
    to,
    textblock: textblocks[index] ?? 0,
  }));
  if (places.some(({ from, to, textblock }) => letters.textOf(textblock).length !== to - from))
    return null;
  const byTextblock = new Map(places.map((place) => [place.textblock, place]));
  return {
    positionOf({ textblock, offset }) {
      const place = byTextblock.get(textblock) ?? places.find((each) => each.textblock > textblock);
      if (!place) return places.at(-1)?.to ?? null;
      return place.textblock === textblock ? place.from + offset : place.from;
    },
    spotOf(position, side) {
      const place =
        side > 0
          ? places.find(({ to }) => to > position)
          : places.findLast(({ from }) => from < position);
      if (!place) return null;
      return {
        textblock: place.textblock,
        offset: Math.max(0, Math.min(place.to - place.from, position - place.from)),
      };
    },
  };
}
