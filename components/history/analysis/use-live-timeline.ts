"use client";

import { useEffect, useState } from "react";
import { pageBackground } from "@/events/worker/page-background";
import { readTimeline } from "@/events/worker/history";
import { type Store } from "@/events/log/store";
import { type Timeline } from "@/events/history/timeline/timeline";

type Input = { documentId: string; store: Pick<Store, "read">; version: number };
type LiveTimeline = { timeline: Timeline | null; failed: boolean; retry: () => void };

const settled = 1_200;

/** The history of a document that is open, read again once it has gone on and come to rest. */
export function useLiveTimeline({ documentId, store, version }: Input): LiveTimeline {
  const [timeline, setTimeline] = useState<Timeline | null>(null);
  const [failed, setFailed] = useState(false);
  const [asked, setAsked] = useState(0);
  const stale = timeline === null || timeline.version < version;
  const first = timeline === null;
  useEffect(() => {
    if (!stale) return;
    const stop = new AbortController();
    const timer = setTimeout(
      () => {
        readTimeline({
          source: store,
          documentId,
          signal: stop.signal,
          onProgress: () => undefined,
          derive: () => pageBackground.deriver(),
        }).then(
          (read) => {
            if (stop.signal.aborted) return;
            setTimeline(read);
            setFailed(false);
          },
          () => !stop.signal.aborted && setFailed(true),
        );
      },
      first ? 0 : settled,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [stale, first, version, store, documentId, asked]);
  return { timeline, failed: failed && first, retry: () => setAsked((count) => count + 1) };
}
