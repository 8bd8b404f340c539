import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { storableText } from "@/events/core/text/storable-text";
import type { SearchEntry } from "@/events/analysis/search-index/search-entry";

type Key = [place: string, nth: number];
/** The entries that one call removes from a document's index and adds to it. */
type IndexChange = { gone: Key[]; entries: object[] };

/** The response of `read_index`. */
export const storedIndex = z.object({
  version: z.number(),
  entries: z.array(z.tuple([z.string(), z.number(), z.string()])),
});

/**
 * The version of the entry format. Entries of another version are rewritten when their document
 * changes.
 */
const format = 2;
/** The most entries and letters of one write. */
const most = { entries: 400, letters: 400_000 };

const keyOf = (place: string, nth: number) => `${place} ${nth}`;

function digestOf(entry: SearchEntry): string {
  const hash = createHash("sha256").update(JSON.stringify([format, entry]));
  return hash.digest("base64url").slice(0, 16);
}

/** Returns an entry in the form that `write_index` takes. */
function rowOf(entry: SearchEntry, digest: string): object {
  const time = (at: number | null) => at && new Date(at).toISOString();
  return {
    place: entry.place,
    nth: entry.nth,
    digest,
    kind: entry.kind,
    class: entry.class,
    text: storableText(entry.text),
    from_version: entry.fromVersion,
    from_time: time(entry.fromTime),
    written_at: time(entry.writtenAt),
    to_version: entry.toVersion,
    to_time: time(entry.toTime),
    stood_version: entry.stoodVersion,
    stood_edit: entry.stoodEdit,
    author_id: entry.authorId,
    authors: entry.authors,
    ended_by: entry.endedBy,
    thread_id: entry.threadId,
    named_at: entry.namedAt,
  };
}

/** Returns the calls that make a document's index contain exactly these entries. */
export function indexChanges(
  stored: z.infer<typeof storedIndex>,
  entries: readonly SearchEntry[],
): IndexChange[] {
  const digests = new Map(
    stored.entries.map(([place, nth, digest]) => [keyOf(place, nth), digest]),
  );
  const current = new Set(entries.map(({ place, nth }) => keyOf(place, nth)));
  const gone = stored.entries.flatMap(([place, nth]): Key[] =>
    current.has(keyOf(place, nth)) ? [] : [[place, nth]],
  );
  let last: IndexChange = { gone, entries: [] };
  let letters = 0;
  const changes = [last];
  for (const entry of entries) {
    const digest = digestOf(entry);
    if (digests.get(keyOf(entry.place, entry.nth)) === digest) continue;
    if (last.entries.length >= most.entries || letters > most.letters) {
      last = { gone: [], entries: [] };
      letters = 0;
      changes.push(last);
    }
    last.entries.push(rowOf(entry, digest));
    letters += entry.text.length;
  }
  return changes;
}
