import type { Node } from "@tiptap/pm/model";
import { whereIs } from "@/events/analysis/anchors/anchor";
import type { Anchor } from "@/events/analysis/anchors/anchor";
import { liveText } from "@/events/analysis/anchors/live-anchor";
import type { CommentedText } from "./commented-text";
import { textRuns } from "./text-runs";

/** Words to highlight in the text. `className` is the class of the highlight. */
export type PassageHighlight = { id: string; anchor: Anchor; className: string };

/** The position of a thread in the text, or null if unknown. `gone` means deleted words. */
export type Place = { position: number | null; gone: boolean };

/** The positions of threads, and the words that the editor highlights for the threads. */
type Places = {
  places: ReadonlyMap<string, Place>;
  passages: { id: string; from: number; to: number; className: string }[];
};

const nowhere: ReadonlyMap<string, Place> = new Map();

/**
 * Finds the words of threads in an editor's document. Returns null while the editor and the shared
 * text differ. The whole text is read, unless no thread is requested.
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
