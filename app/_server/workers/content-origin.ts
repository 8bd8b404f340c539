import type { SupabaseClient } from "@supabase/supabase-js";
import { attributeThrough, sourcesOf } from "@/events/analysis/ancestry/ancestry";
import type { ReadLog } from "@/events/analysis/ancestry/ancestry";
import { appendAll } from "@/events/core/append-all";
import type { Ruled } from "@/events/core/envelope";
import { ContentOrigin, contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { Attribution } from "@/events/analysis/lineage/lineage";
import type { Timeline } from "@/events/history/timeline/timeline";
import { faultOf, supabaseStore } from "@/events/log/store";

/** The longest history that is read for author names. */
const longestSource = 5_000;
/**
 * The most documents whose source attributions are cached. During writing, the index is updated
 * every few seconds.
 */
const mostKept = 8;
const kept = new Map<string, { key: string; attributions: Attribution[] }>();

async function workspaceOf(client: SupabaseClient, document: string): Promise<string | null> {
  const { data, error, status } = await client
    .from("documents")
    .select("workspace_id")
    .eq("id", document)
    .maybeSingle<{ workspace_id: string }>();
  if (error) throw faultOf(error, status);
  return data?.workspace_id ?? null;
}

/**
 * Returns the parts of a document that were written elsewhere, with authors and times from the
 * histories of its sources. Sources in other workspaces are left out, because some people who
 * search here may not read them.
 */
export async function readContentOrigin(
  client: SupabaseClient,
  document: string,
  timeline: Timeline,
): Promise<ContentOrigin> {
  const sources = sourcesOf(timeline);
  if (sources.length === 0) return contentOriginOf(timeline);
  const key = JSON.stringify(sources);
  const known = kept.get(document);
  if (known?.key === key) return new ContentOrigin(timeline, known.attributions);
  const store = supabaseStore(client);
  const home = await workspaceOf(client, document);
  const read: ReadLog = async (stream, end) => {
    if (end > longestSource || (await workspaceOf(client, stream)) !== home) return null;
    const rows = await store.read(stream, 0, end);
    return rows.length < end || rows.some(({ version }, index) => version !== index + 1)
      ? null
      : rows;
  };
  const attributions: Attribution[] = [];
  for (const { source, upTo, versions } of sources) {
    const rows: Ruled[] = [];
    for (const version of versions) appendAll(rows, await store.read(document, version - 1, 1));
    const payloads = rows.flatMap(({ update }) => update ?? []);
    for (const each of await attributeThrough(payloads, { source, upTo }, read))
      attributions.push(each);
  }
  kept.delete(document);
  kept.set(document, { key, attributions });
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
  return new ContentOrigin(timeline, attributions);
}
