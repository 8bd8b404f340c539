"use client";

import { useEffect, useRef } from "react";
import { RestoreQuestion } from "@/components/history/restore/restore-question";
import { useRestore } from "@/components/history/restore/use-restore";
import { useBackend } from "@/components/session/backend-provider";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { deletedPassageOf } from "@/events/analysis/deleted-passage";
import type { DeletedPassage } from "@/events/analysis/deleted-passage";
import { longestSearch, searchThroughTime } from "@/events/analysis/deleted-text-search";
import type { Backend } from "@/events/backend/backend";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { SearchResult } from "@/events/read-models/search";
import { readTimeline } from "@/events/worker/history";
import { pageBackground } from "@/events/worker/page-background";
import { revisionOf } from "@/machines/replay/replay-opening";
import { foundIn } from "./search-link";

type Props = {
  result: SearchResult;
  words: string;
  /** Called when the passage is restored or the restore is cancelled. */
  onEnd: (restored: boolean) => void;
};

/**
 * Returns the passage to which a search result refers. Of several, the passage that was deleted
 * closest to the time of the result is returned.
 */
function passageOf(timeline: Timeline, result: SearchResult, words: string): DeletedPassage | null {
  const stood = revisionOf(timeline, {
    version: result.stoodAt ?? timeline.version,
    edit: result.stoodEdit ?? null,
  });
  const distance = ({ until }: { until: number | null }) => Math.abs((until ?? 0) - stood - 1);
  const [nearest] = searchThroughTime(timeline, foundIn(result, words).slice(0, longestSearch))
    .filter(({ gone }) => gone)
    .sort((one, other) => distance(one) - distance(other));
  return nearest ? deletedPassageOf(timeline, nearest) : null;
}

/** Asks whether to restore a deleted passage that was found, and restores it. */
export function BringBack(props: Props) {
  const backend = useBackend();
  return backend && <Returning {...props} backend={backend} />;
}

function Returning({ result, words, onEnd, backend }: Props & { backend: Backend }) {
  const { people, me, inDocument } = useWorkspace("people", "me", "inDocument");
  const toast = useToast();
  const { store } = backend;
  const documentId = result.document;
  const restore = useRestore({ documentId, store, onRestored: () => onEnd(true) });
  const latest = useRef({ restore, toast, onEnd });
  useEffect(() => {
    latest.current = { restore, toast, onEnd };
  });
  useEffect(() => {
    const stop = new AbortController();
    const open = async () => {
      const timeline = await readTimeline({
        source: store,
        documentId,
        signal: stop.signal,
        onProgress: () => undefined,
        derive: () => pageBackground.deriver(),
      });
      const { restore, toast, onEnd } = latest.current;
      const passage = passageOf(timeline, result, words);
      if (passage)
        restore.ask({ kind: "words", timeline, index: passage.at, range: passage.range });
      else {
        toast({ text: "These words stand in the document again. Nothing was changed." });
        onEnd(false);
      }
    };
    open().catch((fault: unknown) => {
      if (stop.signal.aborted) return;
      reportUnexpected(fault);
      const { toast, onEnd } = latest.current;
      toast({ text: failureWords(fault, "Nothing was brought back", navigator.onLine) });
      onEnd(false);
    });
    return () => stop.abort();
  }, [store, documentId, result, words]);
  const writing = (inDocument.get(documentId) ?? [])
    .filter(({ userId }) => userId !== me.userId)
    .map(({ name }) => name.split(" ")[0] ?? name);
  return (
    <RestoreQuestion
      restore={{
        ...restore,
        cancel: () => {
          restore.cancel();
          onEnd(false);
        },
      }}
      people={people}
      writing={writing}
    />
  );
}
