import * as Y from "yjs";
import { AnchorMemory } from "@/events/analysis/anchors/anchor-memory";
import { systemClock } from "@/events/core/clock";
import type { Store } from "@/events/log/store";
import type { LiveDocument } from "@/machines/sync/live-document";
import { reportUnexpected } from "@/components/ui/failure-words";
import type { AnchorLineage } from "./anchor-lineage";

/** The outcomes of anchors whose words were moved or deleted, and the means to look up more. */
export type TextLineage = {
  readonly memory: AnchorMemory;
  /** Looks up in the history the words that the memory does not know. */
  settle(): void;
  /** Calls `listener` when the memory has learned an outcome. Returns the unsubscribe function. */
  onLearned(listener: () => void): () => void;
};

type Input = {
  documentId: string;
  store: Pick<Store, "read">;
  live: Pick<LiveDocument, "fragment" | "version" | "onAdvanced">;
};

/** Creates the lineage of a live document. A worker reads the history if words are unresolved. */
export function liveLineage({ documentId, store, live }: Input): TextLineage & {
  /** Starts to follow the log. Returns the function that stops. */
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
