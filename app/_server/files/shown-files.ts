import type { SupabaseClient } from "@supabase/supabase-js";
import { documentById } from "@/events/read-models/document-rows";
import { versionsOf } from "@/events/read-models/version-rows";
import { runFold } from "@/app/_server/workers/workers";

/** So many texts are remembered, and so many named versions of a document looked at. */
const most = { texts: 4_000, versions: 200 };
const shown = new Map<string, ReadonlySet<string>>();
/**
 * Texts that are being folded: a page asks for all of its images at once. Keyed by the asker, too: a
 * fold counts as theirs.
 */
const folding = new Map<string, Promise<ReadonlySet<string>>>();

/** A file of a document, with the version of the last redaction there. */
type Attached = { document: string; file: string; redactedAt: number };

function filesIn(html: string): ReadonlySet<string> {
  // Copied: a part of a string keeps the whole of it in memory.
  const ids = [...html.matchAll(/ data-file="([0-9a-f-]{36})"/g)].map(([, file = ""]) => file);
  return new Set(ids.map((file) => Buffer.from(file, "latin1").toString("latin1")));
}

async function filesOfText(
  service: SupabaseClient,
  owner: string,
  document: string,
  { at, version, redactedAt }: { at: number | null; version: number; redactedAt: number },
): Promise<ReadonlySet<string>> {
  // A redaction changes what the text was at any version.
  const key = `${document} ${at ?? version} ${redactedAt}`;
  const known = shown.get(key);
  if (known) {
    // To the end of those that are forgotten.
    shown.delete(key);
    shown.set(key, known);
    return known;
  }
  const fold = async () => {
    // Several requests wait for one fold, and what it finds is kept for all that come later.
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
 * Whether a file stands in what somebody may read of a document who may not read its history: its
 * present text, and its named versions.
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
