"use client";

import { type LostPassage } from "@/events/analysis/lost-passage";
import { type Timeline } from "@/events/history/timeline/timeline";
import { AccountView } from "./account-view";
import { AuthorsView } from "./authors-view";
import { InsightPanel } from "./analysis-panel";
import { type InsightScene } from "./analysis-model";
import { useInsight, type InsightView } from "./analysis-state";
import { PassageView } from "./passage-view";
import { SearchView } from "./search-view";

type Props = {
  view: InsightView;
  scene: InsightScene;
  tinted: boolean;
  onTinted: (tinted: boolean) => void;
  /** Asks whether a passage that is gone is to stand again; null where the reader may not write. */
  onBringBack: ((timeline: Timeline, lost: LostPassage) => void) | null;
  busy: boolean;
};

/** The panel with the view that is asked for. */
export function InsightViews({ view, scene, tinted, onTinted, onBringBack, busy }: Props) {
  const { since } = useInsight();
  return (
    <InsightPanel view={view}>
      {view === "account" && <AccountView scene={scene} since={since} />}
      {view === "authors" && <AuthorsView scene={scene} tinted={tinted} onTinted={onTinted} />}
      {view === "search" && <SearchView scene={scene} onBringBack={onBringBack} busy={busy} />}
      {view === "passage" && <PassageView scene={scene} />}
    </InsightPanel>
  );
}
