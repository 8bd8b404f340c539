import { useSyncExternalStore } from "react";

/** What the panel tells: the account, the authors, what once stood there, or one passage's life. */
export type AnalysisView = "account" | "authors" | "search" | "passage";

/** The panel stays open, with what was looked for, on the way from the present to the past and back. */
type AnalysisState = {
  view: AnalysisView | null;
  words: string;
  tinted: boolean;
  /** The account begins after this version; null tells everything. */
  since: number | null;
  /** How often the search was asked for, each of which leads to its field. */
  searches: number;
  /** The view shows all its rows, and is printed then. */
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

/** Opens, closes or changes the panel, wherever on the page that is asked for. */
export function setAnalysis(change: Partial<AnalysisState>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

/** Opens the search of the history, or leads to its field where it is open. */
export function openSearch(): void {
  setAnalysis({ view: "search", searches: state.searches + 1 });
}

const close = () => setAnalysis({ view: null });

/** Whether the panel is open, and how it is closed, for what stands in the same margin. */
export function useAnalysisPanel(): { open: boolean; close: () => void } {
  return { open: useAnalysis().view !== null, close };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the panel shows in this tab now. */
export function useAnalysis(): AnalysisState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => closed,
  );
}
