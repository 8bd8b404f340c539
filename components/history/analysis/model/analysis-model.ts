import type { PassageRange } from "@/events/analysis/passage";
import type { ContentOrigin } from "@/events/analysis/lineage/copy-in";
import type { Place } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Person } from "@/events/read-models/person";

/**
 * The text on the page as the analysis uses it: the selection, the character under the pointer, and
 * the DOM range of a passage.
 */
export type TextDomAdapter = {
  element: HTMLElement;
  /** The selected passage; null when none of the text is selected. */
  selected(): PassageRange | null;
  /** The character at a viewport point; null when there is none. */
  placeAt(x: number, y: number): Place | null;
  /** The DOM range of a passage of the script; null when none of it is shown. */
  rangeOf(range: PassageRange): Range | null;
};

/** The props of every view of the panel. */
export type AnalysisViewModel = {
  timeline: Timeline;
  /** The authors in the timeline's order. */
  authors: readonly Person[];
  /** Every known person, by account id. */
  people: ReadonlyMap<string, Person>;
  /** The imported content of the text, with its authors. */
  contentOrigin: ContentOrigin;
  /** The title of another document of the workspace; null when the reader has no such document. */
  titleOf: (documentId: string) => string | null;
  /** The revision that the page shows. */
  index: number;
  domAdapter: TextDomAdapter | null;
  /** Goes to a revision. */
  onGo: (index: number) => void;
  /**
   * Restores a passage to the state at the shown revision; null at the newest one, or when the
   * reader may not write.
   */
  onBring: ((range: PassageRange) => void) | null;
};

/** An author of the timeline; an unknown one is called “Somebody”. */
export function authorOf({ authors }: Pick<AnalysisViewModel, "authors">, author: number): Person {
  return authors[author] ?? { userId: "", name: "Somebody", color: 10 };
}

/** Returns a lookup of titles among the documents of the workspace. */
export function titlesIn(
  documents: readonly { id: string; title: string }[],
): AnalysisViewModel["titleOf"] {
  const titles = new Map(documents.map(({ id, title }) => [id, title]));
  return (documentId) => titles.get(documentId) ?? null;
}
