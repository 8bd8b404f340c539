import type { Node } from "@tiptap/pm/model";
import { whereIs, type Anchor } from "@/events/analysis/anchors/anchor";
import { liveText } from "@/events/analysis/anchors/live-anchor";
import { type CommentedText } from "./commented-text";
import { textRuns } from "./text-runs";

/** Words to be marked in the text, in this way. */
export type PassageHighlight = { id: string; anchor: Anchor; className: string };

/** Where a thread belongs in the text: beside which position, and whether its words are still there. */
export type Place = { position: number | null; gone: boolean };

/** Where threads belong, and which words in the editor are to be marked for them. */
type Places = {
  places: ReadonlyMap<string, Place>;
  passages: { id: string; from: number; to: number; className: string }[];
};

const nowhere: ReadonlyMap<string, Place> = new Map();

/**
 * Finds the words of threads in an editor's document that shows a shared text; null while the two
 * are not the same. The whole text is read for it, unless no thread is asked for.
 */
export function placesOf(
  doc: Node,
  shown: CommentedText,
  highlights: readonly PassageHighlight[],
): Places | null {
  if (highlights.length === 0) return { places: nowhere, passages: [] };
  const memory = shown.lineage?.memory;
  const text = liveText(shown.fragment, memory);
  const runs = textRuns(doc, text);
  if (runs === null) return null;
  const places = new Map<string, Place>();
  const passages = highlights.flatMap(({ id, anchor, className }) => {
    const where = whereIs(anchor, text);
    if (where.state === "gone") {
      const gone = memory?.isSureOf(anchor) ?? true;
      places.set(id, { position: where.at && runs.positionOf(where.at), gone });
      return [];
    }
    if (where.state === "standing") memory?.saw(anchor);
    const [from, to] = [runs.positionOf(where.from), runs.positionOf(where.to)];
    places.set(id, { position: from, gone: false });
    return from === null || to === null || from >= to ? [] : [{ id, from, to, className }];
  });
  return { places, passages };
}
