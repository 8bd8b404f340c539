import * as Y from "yjs";
import { AnchorMemory } from "@/events/analysis/anchors/anchor-memory";
import { systemClock } from "@/events/core/clock";
import { type Store } from "@/events/log/store";
import { type LiveDocument } from "@/machines/sync/live-document";
import { reportUnexpected } from "@/components/ui/failure-words";
import { type AnchorLineage } from "./anchor-lineage";

/** What a page knows of anchors whose words are not where they were, and how it comes to know more. */
export type TextLineage = {
  readonly memory: AnchorMemory;
  /** Asks the history for what the memory could not tell. */
  settle(): void;
  /** Calls back whenever the memory has learned something; returns the function that ends it. */
  onLearned(listener: () => void): () => void;
};

type Input = {
  documentId: string;
  store: Pick<Store, "read">;
  live: Pick<LiveDocument, "fragment" | "version" | "onAdvanced">;
};

/** The lineage of a live document. Its history is read, beside the page, once some words are in doubt. */
export function liveLineage({ documentId, store, live }: Input): TextLineage & {
  /** Begins to follow the log; returns the function that ends it. */
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
