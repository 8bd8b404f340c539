import type { SupabaseClient } from "@supabase/supabase-js";
import { storedSegments } from "@/events/history/segments/segment-store";
import type { Timeline } from "@/events/history/timeline/timeline";
import { supabaseStore } from "@/events/log/store";
import { readTimeline } from "@/events/worker/history";
import type { HistorySource } from "@/events/worker/history";

/** Gives a task access to a document's history: its segments, and the log after them. */
export function historySource(client: SupabaseClient): HistorySource {
  return {
    read: supabaseStore(client).read,
    async *segments(stream) {
      for await (const { bytes } of storedSegments(client, stream)) yield bytes;
    },
  };
}

/** Reads the whole history of a document, and reports the version reached. */
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
