import type { SupabaseClient } from "@supabase/supabase-js";
import { storedSegments } from "@/events/history/segments/segment-store";
import type { Timeline } from "@/events/history/timeline/timeline";
import { supabaseStore } from "@/events/log/store";
import { type HistorySource, readTimeline } from "@/events/worker/history";

/** Where a task reads the history of a document: its segments, and the log behind them. */
export function historySource(client: SupabaseClient): HistorySource {
  return {
    read: supabaseStore(client).read,
    async *segments(stream) {
      for await (const { bytes } of storedSegments(client, stream)) yield bytes;
    },
  };
}

/** Reads the whole history of a document, and tells up to which version it has come. */
export function readHistory(
  client: SupabaseClient,
  document: string,
  onProgress: (version: number) => void = () => undefined,
): Promise<Timeline> {
  return readTimeline({
    source: historySource(client),
    documentId: document,
    signal: new AbortController().signal,
    onProgress,
  });
}
