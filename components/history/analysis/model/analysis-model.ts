import type { PassageRange } from "@/events/analysis/passage";
import type { ContentOrigin } from "@/events/analysis/lineage/copy-in";
import type { Place } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Person } from "@/events/read-models/person";

/**
 * The analysis' access to the text on the page: the selection, the character under the pointer, and
 * the DOM range of a passage.
 */
export type TextDomAdapter = {
  element: HTMLElement;
  /** Returns the selected passage, or null if no text is selected. */
  selected(): PassageRange | null;
  /** Returns the character at a viewport point, or null if there is none. */
  placeAt(x: number, y: number): Place | null;
  /** Returns the DOM range of a passage of the script, or null if none of it is shown. */
  rangeOf(range: PassageRange): Range | null;
};

/** The props of every view of the panel. */
export type AnalysisViewModel = {
  timeline: Timeline;
  /** The authors in the timeline's order. */
  authors: readonly Person[];
  /** All known people, by account id. */
  people: ReadonlyMap<string, Person>;
  /** The imported content of the text, with its authors. */
  contentOrigin: ContentOrigin;
  /** Returns the title of another document of the workspace, or null if there is none. */
  titleOf: (documentId: string) => string | null;
  /** The revision that the page shows. */
  index: number;
  domAdapter: TextDomAdapter | null;
  /** Shows a revision. */
  onGo: (index: number) => void;
  /**
   * Restores a passage to its state at the shown revision. Null at the newest revision, or if the
   * reader may not write.
   */
  onBring: ((range: PassageRange) => void) | null;
};

/** Returns an author of the timeline. An unknown author is called “Somebody”. */
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
