import { useSyncExternalStore } from "react";

/** The views of the panel: summary of changes, authors, search, and the history of one passage. */
export type AnalysisView = "account" | "authors" | "search" | "passage";

/** The state of the panel, which persists when the reader switches to the player and back. */
type AnalysisState = {
  view: AnalysisView | null;
  words: string;
  tinted: boolean;
  /** The summary of changes begins after this version, or covers everything if null. */
  since: number | null;
  /** The number of search requests. Each request focuses the search field. */
  searches: number;
  /** Whether the view renders all rows to print the page. */
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

/** Opens the history search, or focuses its field if it is open. */
export function openSearch(): void {
  setAnalysis({ view: "search", searches: state.searches + 1 });
}

const close = () => setAnalysis({ view: null });

/** Returns whether the panel is open and its close function, for other users of the margin. */
export function useAnalysisPanel(): { open: boolean; close: () => void } {
  return { open: useAnalysis().view !== null, close };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the state of the panel in this tab. */
export function useAnalysis(): AnalysisState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => closed,
  );
}
