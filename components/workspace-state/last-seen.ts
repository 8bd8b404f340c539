import * as z from "zod/mini";

/** What somebody had seen of a document, and when, where that was on this device. */
export type LastSeen = { version: number; at: string | null };

const shape = z.object({ version: z.int(), at: z.nullable(z.string()) });
const keyOf = (userId: string, documentId: string) => `palimpsest-seen:${userId}:${documentId}`;

/**
 * What this person had last seen of a document in this browser; null where it is the first time, or
 * nothing is kept.
 */
export function lastSeen(userId: string, documentId: string): LastSeen | null {
  try {
    const stored = localStorage.getItem(keyOf(userId, documentId));
    return stored === null ? null : (shape.safeParse(JSON.parse(stored)).data ?? null);
  } catch {
    // A browser that keeps nothing has seen nothing.
    return null;
  }
}

/** Keeps what has been seen; a browser that keeps nothing is told of everything again. */
export function storeLastSeen(userId: string, documentId: string, seen: LastSeen): void {
  try {
    localStorage.setItem(keyOf(userId, documentId), JSON.stringify(seen));
  } catch {
    return;
  }
}
