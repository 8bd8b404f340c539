import { type PassageRange } from "@/events/analysis/passage";
import { type ContentOrigin } from "@/events/analysis/lineage/copy-in";
import { type Place } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type Person } from "@/events/read-models/person";

/**
 * The text on the page, as the analysis needs it: what is selected in it, what is under the
 * pointer, and where a passage stands.
 */
export type TextDomAdapter = {
  element: HTMLElement;
  /** The selected passage; null where nothing of the text is selected. */
  selected(): PassageRange | null;
  /** The character under a point of the window; null where there is none. */
  placeAt(x: number, y: number): Place | null;
  /** Where on the page a passage of the script stands; null where nothing of it does. */
  rangeOf(range: PassageRange): Range | null;
};

/** What every view of the panel is given. */
export type AnalysisViewModel = {
  timeline: Timeline;
  /** The authors in the timeline's order. */
  authors: readonly Person[];
  /** Everybody who is known by their account. */
  people: ReadonlyMap<string, Person>;
  /** What of the text was written elsewhere, and by whom. */
  contentOrigin: ContentOrigin;
  /** The title of another document of the workspace; null where the reader knows of none. */
  titleOf: (documentId: string) => string | null;
  /** The revision that the page shows. */
  index: number;
  domAdapter: TextDomAdapter | null;
  /** Takes the reader to a revision. */
  onGo: (index: number) => void;
  /**
   * Makes a passage read now as it does at the revision shown; null where that is the newest, or
   * the reader may not write.
   */
  onBring: ((range: PassageRange) => void) | null;
};

/** An author of the timeline; somebody who is known no longer has a name that says so. */
export function authorOf({ authors }: Pick<AnalysisViewModel, "authors">, author: number): Person {
  return authors[author] ?? { userId: "", name: "Somebody", color: 10 };
}

/** Finds the title of a document among those of the workspace. */
export function titlesIn(
  documents: readonly { id: string; title: string }[],
): AnalysisViewModel["titleOf"] {
  const titles = new Map(documents.map(({ id, title }) => [id, title]));
  return (documentId) => titles.get(documentId) ?? null;
}
