import { useSyncExternalStore } from "react";

/** The views of the panel: summary of changes, authors, search, and the history of one passage. */
export type AnalysisView = "account" | "authors" | "search" | "passage";

/** The panel, with its search, stays open between the live text and the player. */
type AnalysisState = {
  view: AnalysisView | null;
  words: string;
  tinted: boolean;
  /** The account begins after this version; null covers everything. */
  since: number | null;
  /** The number of search requests; each focuses the search field. */
  searches: number;
  /** Renders all rows of the view and then prints the page. */
  printing: boolean;
};

let state: AnalysisState = {
  view: null,
  words: "",
  tinted: false,
  since: null,
  searches: 0,
  printing: false,
};
const closed = state;
const listeners = new Set<() => void>();

/** Opens, closes or changes the panel from anywhere on the page. */
export function setAnalysis(change: Partial<AnalysisState>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

/** Opens the history search, or focuses its field when it is open. */
export function openSearch(): void {
  setAnalysis({ view: "search", searches: state.searches + 1 });
}

const close = () => setAnalysis({ view: null });

/**
 * Whether the panel is open, and the function that closes it, for the other contents of the margin.
 */
export function useAnalysisPanel(): { open: boolean; close: () => void } {
  return { open: useAnalysis().view !== null, close };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The state of the panel in this tab. */
export function useAnalysis(): AnalysisState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => closed,
  );
}
