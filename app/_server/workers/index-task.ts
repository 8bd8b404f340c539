import type { SupabaseClient } from "@supabase/supabase-js";
import { searchEntries } from "@/events/analysis/search-index/search-entries";
import type { Timeline } from "@/events/history/timeline/timeline";
import { faultOf } from "@/events/log/store";
import { growTimeline } from "@/events/worker/history";
import type { GrowingTimeline } from "@/events/worker/history";
import { readContentOrigin } from "./content-origin";
import { historySource } from "./history-source";
import { indexChanges, storedIndex } from "./index-changes";
import type { Tools } from "./task";

type IndexRequest = { document: string };

/** The most histories cached for documents that are being edited, and the longest of them. */
const kept = { timelines: 4, revisions: 200_000 };
const open = new Map<string, GrowingTimeline>();

/** Returns the current history of a document. A cached history reads only new events. */
async function newest(
  client: SupabaseClient,
  document: string,
  { progress }: Tools,
): Promise<Timeline> {
  const known = open.get(document);
  // Removed first, so that a history that fails to grow is read again from the start.
  open.delete(document);
  const { signal } = new AbortController();
  const growing =
    known ??
    (await growTimeline({
      source: historySource(client),
      documentId: document,
      signal,
      onProgress: progress,
    }));
  const timeline = known ? await known.grow() : growing.timeline;
  if (timeline.length > kept.revisions) growing.close();
  else open.set(document, growing);
  for (const [each, oldest] of open) {
    if (open.size <= kept.timelines) break;
    open.delete(each);
    oldest.close();
  }
  return timeline;
}

/**
 * Updates a document's search index to match its history, writing only the differences. Returns the
 * duration in milliseconds.
 */
export async function index(
  client: SupabaseClient,
  { document }: IndexRequest,
  tools: Tools,
): Promise<number> {
  const begun = performance.now();
  const timeline = await newest(client, document, tools);
  const stored = await client.rpc("read_index", { stream: document });
  if (stored.error) throw faultOf(stored.error, stored.status);
  const contentOrigin = await readContentOrigin(client, document, timeline);
  const entries = searchEntries(timeline, contentOrigin);
  const changes = indexChanges(storedIndex.parse(stored.data), entries);
  for (const change of changes) {
    const { error, status } = await client.rpc("write_index", {
      stream: document,
      seen: timeline.version,
      ...change,
      whole: change === changes.at(-1),
    });
    if (error) throw faultOf(error, status);
  }
  return performance.now() - begun;
}
