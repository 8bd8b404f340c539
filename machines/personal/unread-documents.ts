import type { DocumentRow } from "@/events/read-models/document-rows";

type Row = Pick<DocumentRow, "id" | "version" | "updatedBy" | "updatedAt">;

/**
 * The documents that somebody else changed since the reader last read them, each with the version up
 * to which they had. What had changed by `readAt` is no news, and neither is what they did last.
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

/** What has been read by the snapshot of a server: all that it does not call unread. */
export function seenAtFirst(
  documents: readonly Row[],
  unread: Readonly<Record<string, number>>,
): Map<string, number> {
  return new Map(documents.map(({ id, version }) => [id, unread[id] ?? version]));
}
