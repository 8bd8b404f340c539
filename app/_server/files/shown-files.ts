import type { SupabaseClient } from "@supabase/supabase-js";
import { documentById } from "@/events/read-models/document-rows";
import { versionsOf } from "@/events/read-models/version-rows";
import { runFold } from "@/app/_server/workers/workers";

/** The most cached texts, and the most named versions examined per document. */
const most = { texts: 4_000, versions: 200 };
const shown = new Map<string, ReadonlySet<string>>();
/**
 * Folds in progress, since a page requests all of its images at once. The key includes the caller,
 * since a fold counts against its caller's share.
 */
const folding = new Map<string, Promise<ReadonlySet<string>>>();

/** A file of a document, with the version of the document's last redaction. */
type Attached = { document: string; file: string; redactedAt: number };

function filesIn(html: string): ReadonlySet<string> {
  // Ids are copied, because a substring keeps the whole string in memory.
  const ids = [...html.matchAll(/ data-file="([0-9a-f-]{36})"/g)].map(([, file = ""]) => file);
  return new Set(ids.map((file) => Buffer.from(file, "latin1").toString("latin1")));
}

async function filesOfText(
  service: SupabaseClient,
  owner: string,
  document: string,
  { at, version, redactedAt }: { at: number | null; version: number; redactedAt: number },
): Promise<ReadonlySet<string>> {
  // The key includes the redaction, which changes the text at every version.
  const key = `${document} ${at ?? version} ${redactedAt}`;
  const known = shown.get(key);
  if (known) {
    // Entries used most recently are evicted last.
    shown.delete(key);
    shown.set(key, known);
    return known;
  }
  const fold = async () => {
    // Several requests share one fold, so no caller's signal may cancel it.
    const asker = { client: service, service: true, owner, signal: null };
    const request = { document, at, light: true, seen: version, commentRows: null, longestTail: 0 };
    const files = filesIn((await runFold("restricted", request, asker)).html);
    const [oldest] = shown.keys();
    if (oldest !== undefined && shown.size >= most.texts) shown.delete(oldest);
    shown.set(key, files);
    return files;
  };
  const turn = `${owner} ${key}`;
  const begun = folding.get(turn) ?? fold().finally(() => folding.delete(turn));
  folding.set(turn, begun);
  return begun;
}

/**
 * Whether a file appears in the current text or a named version, which is all that a reader without
 * access to the history may see.
 */
export async function isShown(
  client: SupabaseClient,
  service: SupabaseClient,
  owner: string,
  { document, file, redactedAt }: Attached,
): Promise<boolean> {
  const row = await documentById(client, document);
  if (!row) return false;
  const { version } = row;
  const has = async (at: number | null) =>
    (await filesOfText(service, owner, document, { at, version, redactedAt })).has(file);
  if (await has(null)) return true;
  const named = (await versionsOf(client, document)).slice(0, most.versions);
  for (const { at } of named) if (await has(at)) return true;
  return false;
}
