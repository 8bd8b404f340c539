import * as Y from "yjs";
import { AnchorMemory } from "@/events/analysis/anchors/anchor-memory";
import { systemClock } from "@/events/core/clock";
import type { Store } from "@/events/log/store";
import type { LiveDocument } from "@/machines/sync/live-document";
import { reportUnexpected } from "@/components/ui/failure-words";
import type { AnchorLineage } from "./anchor-lineage";

/** The page's knowledge of anchors whose words have moved or gone, and the way to extend it. */
export type TextLineage = {
  readonly memory: AnchorMemory;
  /** Looks up in the history what the memory could not answer. */
  settle(): void;
  /** Calls back whenever the memory has learned something; returns the unsubscribe function. */
  onLearned(listener: () => void): () => void;
};

type Input = {
  documentId: string;
  store: Pick<Store, "read">;
  live: Pick<LiveDocument, "fragment" | "version" | "onAdvanced">;
};

/** The lineage of a live document. A worker reads the history once some words are unresolved. */
export function liveLineage({ documentId, store, live }: Input): TextLineage & {
  /** Starts to follow the log; returns the function that stops. */
  begin(): () => void;
} {
  const { doc } = live.fragment;
  const memory = new AnchorMemory(doc ? Y.decodeStateVector(Y.encodeStateVector(doc)) : new Map());
  const listeners = new Set<() => void>();
  let lineage: AnchorLineage | null = null;
  let opening = false;
  let begun = false;
  const open = async () => {
    const [{ AnchorLineage }, { pageBackground }] = await Promise.all([
      import("./anchor-lineage"),
      import("@/events/worker/page-background"),
    ]);
    if (!begun) return;
    lineage = new AnchorLineage({
      documentId,
      source: store,
      clock: systemClock,
      memory,
      background: pageBackground,
      onLearned: () => listeners.forEach((listener) => listener()),
      onFault: reportUnexpected,
    });
    lineage.settle();
  };
  return {
    memory,
    settle() {
      if (lineage) return lineage.settle();
      if (!memory.hasOpen || opening) return;
      opening = true;
      open()
        .catch(reportUnexpected)
        .finally(() => (opening = false));
    },
    onLearned(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin() {
      begun = true;
      const stop = live.onAdvanced(() => lineage?.heard(live.version));
      return () => {
        begun = false;
        stop();
        lineage?.close();
        lineage = null;
      };
    },
  };
}
