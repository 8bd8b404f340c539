"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { isCopyIn } from "@/events/crdt/validation/validation";
import { rewritingOf } from "@/events/analysis/rewriting";
import type { Store } from "@/events/log/store";
import type { LiveDocument } from "@/machines/sync/live-document";
import { addressAt } from "@/machines/replay/replay-opening";
import { addressOf } from "@/components/history/playback/revision-address";
import { RestoreQuestion } from "@/components/history/restore/restore-question";
import { useRestore } from "@/components/history/restore/use-restore";
import { authorsIn, importedColours, withImported } from "@/machines/import/imported-authors";
import type { Person } from "@/events/read-models/person";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { AuthorCard } from "./views/author-card";
import { elsewhere } from "./model/imported-content-words";
import { AnalysisPanel } from "./analysis-panel";
import { titlesIn } from "./model/analysis-model";
import type { AnalysisViewModel } from "./model/analysis-model";
import { setAnalysis, useAnalysis } from "./model/analysis-state";
import { AnalysisViews } from "./analysis-views";
import { LiveDomAdapter } from "./highlights/live-dom-adapter";
import { showTints } from "./highlights/live-tints";
import type { LiveTints } from "./highlights/live-tints";
import { useLiveTimeline } from "./use-live-timeline";
import { useRewritten } from "./model/use-analysis-query";
import { useContentOrigin } from "./use-content-origin";

type Props = {
  documentId: string;
  store: Pick<Store, "read" | "append">;
  live: LiveDocument;
  editor: Editor | null;
  people: ReadonlyMap<string, Person>;
  mayWrite: boolean;
};

function useVersion(live: LiveDocument): number {
  const [version, setVersion] = useState(live.version);
  useEffect(
    () => live.onAdvanced(() => setVersion((before) => Math.max(before, live.version))),
    [live],
  );
  return version;
}

/** Analyses a live text, with its panel, the author colours and the card under the pointer. */
export function LiveAnalysis({ documentId, store, live, editor, people, mayWrite }: Props) {
  const { view, tinted } = useAnalysis();
  const {
    timeline: read,
    failed,
    retry,
  } = useLiveTimeline({
    documentId,
    store,
    version: useVersion(live),
  });
  const restore = useRestore({ documentId, store, onRestored: () => undefined });
  const { documents } = useWorkspace("documents");
  const origin = useContentOrigin({ timeline: read, documentId, store });
  const rewritten = useRewritten(read, origin);
  const timeline = rewritten?.timeline ?? null;
  const contentOrigin = rewritten?.contentOrigin ?? null;
  const colours = useMemo(
    () => new Map([...people.values()].map(({ userId, color }) => [userId, color])),
    [people],
  );
  const imported = useMemo(() => timeline && importedColours(timeline.marks), [timeline]);
  const tints = useRef<LiveTints | null>(null);
  useEffect(() => {
    if (!editor || editor.isDestroyed || !tinted) return;
    const shown = showTints(editor);
    tints.current = shown;
    return () => {
      tints.current = null;
      shown.stop();
    };
  }, [editor, tinted]);
  useEffect(() => {
    const rewriting = timeline && rewritingOf(timeline);
    tints.current?.name({
      colourOf: (client) => {
        const owner = live.userOf(client) ?? "";
        return (
          colours.get(owner) ??
          (isCopyIn(owner) ? (imported?.get(client) ?? elsewhere.color) : null)
        );
      },
      // Until the history is read again, copied text is attributed to the client that wrote the
      // copy.
      clientsOf: (client, clock, length) =>
        rewriting?.clientsOf(client, clock, length) ?? [{ client, length }],
    });
  }, [editor, tinted, timeline, colours, imported, live]);
  const viewModel = useMemo((): AnalysisViewModel | null => {
    if (!timeline || !contentOrigin) return null;
    const all = withImported(people, timeline);
    return {
      timeline,
      authors: authorsIn(timeline, all),
      people: all,
      contentOrigin,
      titleOf: titlesIn(documents),
      index: timeline.length - 1,
      domAdapter: editor && !editor.isDestroyed ? new LiveDomAdapter(editor, timeline) : null,
      onBring: null,
      onGo: (index) =>
        history.pushState(null, "", addressOf({ at: addressAt(timeline, index), range: null })),
    };
  }, [timeline, people, contentOrigin, documents, editor]);
  return (
    <>
      {view !== null && (
        // One panel serves all readings. A second panel would take the focus from a reader who has
        // returned to the text.
        <AnalysisPanel view={view}>
          {viewModel ? (
            <AnalysisViews
              view={view}
              viewModel={viewModel}
              tinted={tinted}
              onTinted={(on) => setAnalysis({ tinted: on })}
              onBringBack={
                mayWrite
                  ? (then, { range, at }) =>
                      restore.ask({ kind: "words", timeline: then, index: at, range })
                  : null
              }
              busy={restore.asking}
            />
          ) : (
            <HistoryReading failed={failed} onRetry={retry} />
          )}
        </AnalysisPanel>
      )}
      {viewModel && tinted && <AuthorCard viewModel={viewModel} />}
      <RestoreQuestion restore={restore} people={people} writing={[]} />
    </>
  );
}

function HistoryReading({ failed, onRetry }: { failed: boolean; onRetry: () => void }) {
  if (!failed) return <Skeleton lines={5} label="Reading the history" />;
  return (
    <div role="alert">
      <p>The history could not be read. The document itself is not affected.</p>
      <Button
        look="edge"
        onClick={(event) => {
          // The button unmounts with its message, so the focus moves to the panel.
          event.currentTarget.closest("aside")?.focus();
          onRetry();
        }}
      >
        Try again
      </Button>
    </div>
  );
}
