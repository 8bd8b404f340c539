import type { DocumentRow } from "@/events/read-models/document-rows";

type Row = Pick<DocumentRow, "id" | "version" | "updatedBy" | "updatedAt">;

/**
 * The documents that others have changed since the reader last read them, each with the version
 * read so far. Changes up to `readAt` do not count, nor do documents that the reader changed last.
 */
export function unreadDocuments(
  documents: readonly Row[],
  me: string,
  readAt: string,
  seenOf: (id: string) => number,
): ReadonlyMap<string, number> {
  const unread = new Map<string, number>();
  for (const { id, version, updatedBy, updatedAt } of documents) {
    if (updatedBy === me || updatedAt <= readAt) continue;
    const seen = seenOf(id);
    if (version > seen) unread.set(id, seen);
  }
  return unread;
}

/**
 * The versions read according to the server's snapshot: everything that it does not list as unread.
 */
export function seenAtFirst(
  documents: readonly Row[],
  unread: Readonly<Record<string, number>>,
): Map<string, number> {
  return new Map(documents.map(({ id, version }) => [id, unread[id] ?? version]));
}
