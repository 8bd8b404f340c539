"use client";

import { useMemo, useSyncExternalStore } from "react";
import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { PassageRange } from "@/events/analysis/passage";
import type { Store } from "@/events/log/store";
import { pastTextId } from "@/components/history/revision/revision-page";
import type { PlayerView } from "@/components/history/playback/player-view";
import { useRevisionIndex } from "@/components/history/playback/replay-context";
import type { RestoreRequest } from "@/events/revisions/restore";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { AuthorCard } from "./views/author-card";
import { titlesIn } from "./model/analysis-model";
import type { AnalysisViewModel } from "./model/analysis-model";
import { useAnalysis } from "./model/analysis-state";
import { AnalysisPanel } from "./analysis-panel";
import { AnalysisViews } from "./analysis-views";
import { PastDomAdapter } from "./highlights/past-dom-adapter";
import { useContentOrigin } from "./use-content-origin";

type Props = {
  player: PlayerView;
  documentId: string;
  store: Pick<Store, "read" | "append">;
  /** Restores a passage of an earlier revision. Null if a restore is not offered. */
  onBring: ((range: PassageRange) => void) | null;
  /** Asks for a restore, and reports whether one is being prepared. Null without write access. */
  restoring: { ask: (restoreRequest: RestoreRequest) => void; asking: boolean } | null;
};

const hearNothing = () => () => undefined;

/**
 * Analyses a past revision, with its panel. If all authors are coloured, a card shows the passage
 * under the pointer.
 */
export function PastAnalysis({ player, documentId, store, onBring, restoring }: Props) {
  const { timeline, authors, playing, colour, run } = player;
  const index = useRevisionIndex();
  const isEarlier = index < timeline.length - 1;
  const { view } = useAnalysis();
  const { documents, people } = useWorkspace("documents", "people");
  const known = useContentOrigin({ timeline, documentId, store });
  // The text may mount in the same commit, and remounts when a comparison closes. The getter is a
  // new function on each render, so React reads the element after every commit.
  const element = useSyncExternalStore(
    hearNothing,
    () => document.getElementById(pastTextId),
    () => null,
  );
  const domAdapter = useMemo(
    () => element && new PastDomAdapter(element, timeline),
    [element, timeline],
  );
  const viewModel = useMemo(
    (): AnalysisViewModel => ({
      timeline,
      authors,
      people,
      contentOrigin: known ?? contentOriginOf(timeline),
      titleOf: titlesIn(documents),
      index,
      domAdapter,
      onGo: (to) => run({ type: "seek", index: to }),
      onBring: isEarlier ? onBring : null,
    }),
    [timeline, authors, people, known, documents, index, domAdapter, run, isEarlier, onBring],
  );
  return (
    <>
      {view !== null && (
        <AnalysisPanel view={view}>
          <AnalysisViews
            view={view}
            viewModel={viewModel}
            tinted={colour === "all"}
            onTinted={() => run({ type: "colour", colour: colour === "all" ? "session" : "all" })}
            onBringBack={
              restoring &&
              ((then, { range, at }) =>
                restoring.ask({ kind: "words", timeline: then, index: at, range }))
            }
            busy={restoring?.asking ?? false}
          />
        </AnalysisPanel>
      )}
      {colour === "all" && !playing && <AuthorCard viewModel={viewModel} />}
    </>
  );
}
