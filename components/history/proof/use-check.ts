"use client";

import { reportError } from "@/events/core/error-report";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Backend } from "@/events/backend/backend";
import type { WholeState } from "@/events/crdt/validation/document-state";
import { ShownText } from "@/events/proof/shown-text";
import { checkHistory, nothingRemembered } from "@/events/proof/verification";
import type { Report } from "@/events/proof/verification";
import { redactionOf } from "@/events/proof/redaction-event";

export type Check =
  | { state: "running"; version: number }
  | {
      state: "done";
      report: Report;
      /** The time of this browser's first remembered head. */ since: number | null;
    }
  | { state: "cancelled" }
  | { state: "failed" };

/** The ms of folding before the page may render. */
const slice = 12;

function yieldPerSlice(): () => Promise<void> | undefined {
  let end = performance.now() + slice;
  return () => {
    if (performance.now() < end) return undefined;
    return new Promise((settle) =>
      setTimeout(() => {
        end = performance.now() + slice;
        settle();
      }),
    );
  };
}

/** Verifies a document's history and the shown text, on mount and again on request. */
export function useCheck(
  backend: Pick<Backend, "store" | "history">,
  documentId: string,
  shown: () => WholeState | null,
): { check: Check; again: () => void; cancel: () => void } {
  const [check, setCheck] = useState<Check>({ state: "running", version: 0 });
  const [round, setRound] = useState(0);
  const control = useRef<AbortController | null>(null);
  const shownNow = useRef(shown);
  useEffect(() => {
    shownNow.current = shown;
  });
  useEffect(() => {
    const running = new AbortController();
    control.current = running;
    const { signal } = running;
    const run = async () => {
      // Without remembered heads there is nothing to compare, but the chain itself can still be
      // verified.
      const state = shownNow.current();
      const remembered = await backend.history.recall(documentId).catch(() => nothingRemembered);
      const report = await checkHistory({
        stream: documentId,
        source: backend.store,
        remembered,
        redactionOf,
        ...(state && { shown: new ShownText(state), yieldToPage: yieldPerSlice() }),
        signal,
        onProgress: (version) => setCheck({ state: "running", version }),
      });
      setCheck({ state: "done", report, since: remembered.since });
    };
    run().catch((error: unknown) => {
      if (signal.aborted) return;
      reportError(error, { during: "verifying a history", kind: "tolerated", documentId });
      setCheck({ state: "failed" });
    });
    return () => running.abort();
  }, [backend, documentId, round]);
  const again = useCallback(() => {
    setCheck({ state: "running", version: 0 });
    setRound((count) => count + 1);
  }, []);
  const cancel = useCallback(() => {
    control.current?.abort();
    setCheck({ state: "cancelled" });
  }, []);
  return { check, again, cancel };
}
