"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { systemClock } from "@/events/core/clock";
import type { Store } from "@/events/log/store";
import type { Timeline } from "@/events/history/timeline/timeline";
import { liveHistory } from "@/events/worker/live-history";
import type { LiveHistory } from "@/events/worker/live-history";
import { pageBackground } from "@/events/worker/page-background";

type Input = { documentId: string; store: Pick<Store, "read">; version: number };
type LiveTimeline = { timeline: Timeline | null; failed: boolean; retry: () => void };

/** Returns the history of an open document, which grows as events are recorded. */
export function useLiveTimeline({ documentId, store, version }: Input): LiveTimeline {
  const [timeline, setTimeline] = useState<Timeline | null>(null);
  const [failed, setFailed] = useState(false);
  const history = useRef<LiveHistory | null>(null);
  useEffect(() => {
    const opened = liveHistory({
      source: store,
      documentId,
      clock: systemClock,
      derive: () => pageBackground.deriver(),
      onTimeline: (read) => {
        setTimeline(read);
        setFailed(false);
      },
      onFailed: () => setFailed(true),
    });
    history.current = opened;
    return () => {
      history.current = null;
      opened.close();
    };
  }, [store, documentId]);
  useEffect(() => history.current?.heard(version), [store, documentId, version]);
  const retry = useCallback(() => history.current?.retry(), []);
  return { timeline, failed: failed && timeline === null, retry };
}
