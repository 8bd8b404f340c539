"use client";

import type { DeletedPassage } from "@/events/analysis/deleted-passage";
import type { Timeline } from "@/events/history/timeline/timeline";
import { AccountView } from "./views/account-view";
import { AuthorsView } from "./views/authors-view";
import type { AnalysisViewModel } from "./model/analysis-model";
import { useAnalysis } from "./model/analysis-state";
import type { AnalysisView } from "./model/analysis-state";
import { PassageView } from "./views/passage-view";
import { SearchView } from "./views/search-view";

type Props = {
  view: AnalysisView;
  viewModel: AnalysisViewModel;
  tinted: boolean;
  onTinted: (tinted: boolean) => void;
  /** Asks to restore a deleted passage. Null if the reader may not write. */
  onBringBack: ((timeline: Timeline, deleted: DeletedPassage) => void) | null;
  busy: boolean;
};

/** Shows the requested view of the panel. */
export function AnalysisViews({ view, viewModel, tinted, onTinted, onBringBack, busy }: Props) {
  const { since } = useAnalysis();
  return (
    <>
      {view === "account" && <AccountView viewModel={viewModel} since={since} />}
      {view === "authors" && (
        <AuthorsView viewModel={viewModel} tinted={tinted} onTinted={onTinted} />
      )}
      {view === "search" && (
        <SearchView viewModel={viewModel} onBringBack={onBringBack} busy={busy} />
      )}
      {view === "passage" && <PassageView viewModel={viewModel} />}
    </>
  );
}
