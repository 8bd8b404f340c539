import type { DocumentRow } from "@/events/read-models/document-rows";

type Row = Pick<DocumentRow, "id" | "version" | "updatedBy" | "updatedAt">;

/**
 * Returns the documents that others have changed since the reader last read them, each with the
 * version read so far. Changes up to `readAt` and documents that the reader changed last are left
 * out.
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
 * Returns the version of each document that the server's snapshot counts as read. A document that
 * the snapshot does not list as unread was read to its end.
 */
export function seenAtFirst(
  documents: readonly Row[],
  unread: Readonly<Record<string, number>>,
): Map<string, number> {
  return new Map(documents.map(({ id, version }) => [id, unread[id] ?? version]));
}
