"use client";

import { useMemo } from "react";
import { provenanceOf } from "@/events/analysis/lineage/carriage";
import { type PassageRange } from "@/events/analysis/passage";
import { type Store } from "@/events/log/store";
import { pastTextId } from "@/components/history/revision/revision-page";
import { type PlayerView } from "@/components/history/playback/player-view";
import { type Wish } from "@/events/revisions/restore";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { AuthorCard } from "./author-card";
import { type InsightScene, titlesIn } from "./analysis-model";
import { useInsight } from "./analysis-state";
import { InsightViews } from "./analysis-views";
import { PastSurface } from "./past-dom-adapter";
import { useProvenance } from "./use-content-origin";

type Props = {
  player: PlayerView;
  documentId: string;
  store: Pick<Store, "read" | "append">;
  onBring: ((range: PassageRange) => void) | null;
  /** Asks whether something earlier is to stand again, and whether that is on its way; null where the reader may not write. */
  restoring: { ask: (wish: Wish) => void; asking: boolean } | null;
};

/** The insight beside a moment of the past: its panel, and with author colours on, a card for the passage under the pointer. */
export function PastInsight({ player, documentId, store, onBring, restoring }: Props) {
  const { timeline, authors, index, playing, colours, run } = player;
  const { view } = useInsight();
  const { documents, people } = useWorkspace();
  const known = useProvenance({ timeline, documentId, store });
  const surface = useMemo(() => {
    const element = document.getElementById(pastTextId);
    return element && new PastSurface(element, timeline);
  }, [timeline]);
  const scene = useMemo(
    (): InsightScene => ({
      timeline,
      authors,
      people,
      provenance: known ?? provenanceOf(timeline),
      titleOf: titlesIn(documents.live),
      index,
      surface,
      onGo: (to) => run({ type: "SEEK", index: to }),
      onBring,
    }),
    [timeline, authors, people, known, documents.live, index, surface, run, onBring],
  );
  return (
    <>
      {view !== null && (
        <InsightViews
          view={view}
          scene={scene}
          tinted={colours}
          onTinted={() => run({ type: "COLOURS" })}
          onBringBack={
            restoring &&
            ((then, { range, at }) =>
              restoring.ask({ kind: "words", timeline: then, index: at, range }))
          }
          busy={restoring?.asking ?? false}
        />
      )}
      {colours && !playing && <AuthorCard scene={scene} />}
    </>
  );
}
