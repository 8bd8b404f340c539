import type { SupabaseClient } from "@supabase/supabase-js";
import { documentById } from "@/events/read-models/document-rows";
import { versionsOf } from "@/events/read-models/version-rows";
import { runFold } from "@/app/_server/workers/workers";

/** As many texts are remembered, and as many named versions looked at. */
const most = 200;
const shown = new Map<string, ReadonlySet<string>>();

function filesIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/ data-file="([0-9a-f-]{36})"/g)].map(([, file = ""]) => file));
}

async function filesOfText(
  service: SupabaseClient,
  owner: string,
  document: string,
  { at, version }: { at: number | null; version: number },
): Promise<ReadonlySet<string>> {
  const key = `${document} ${at ?? version}`;
  const known = shown.get(key);
  if (known) return known;
  const asker = { client: service, service: true, owner };
  const request = { document, at, light: true, seen: version, commentRows: null, longestTail: 0 };
  const files = filesIn((await runFold("restricted", request, asker)).html);
  const [oldest] = shown.keys();
  if (oldest !== undefined && shown.size >= most) shown.delete(oldest);
  shown.set(key, files);
  return files;
}

/**
 * Whether a file stands in what somebody may read of a document who may not read its history: its
 * present text, and its named versions.
 */
export async function isShown(
  client: SupabaseClient,
  service: SupabaseClient,
  owner: string,
  { document, file }: { document: string; file: string },
): Promise<boolean> {
  const row = await documentById(client, document);
  if (!row) return false;
  const { version } = row;
  if ((await filesOfText(service, owner, document, { at: null, version })).has(file)) return true;
  for (const { at } of (await versionsOf(client, document)).slice(0, most))
    if ((await filesOfText(service, owner, document, { at, version })).has(file)) return true;
  return false;
}
