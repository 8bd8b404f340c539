import * as z from "zod/mini";

/** The version of a document that was last seen on this device, and when. */
export type LastSeen = { version: number; at: string | null };

const shape = z.object({ version: z.int(), at: z.nullable(z.string()) });
const keyOf = (userId: string, documentId: string) => `palimpsest-seen:${userId}:${documentId}`;

/** Returns the version that this person last saw in this browser, or null if none is stored. */
export function lastSeen(userId: string, documentId: string): LastSeen | null {
  try {
    const stored = localStorage.getItem(keyOf(userId, documentId));
    return stored === null ? null : (shape.safeParse(JSON.parse(stored)).data ?? null);
  } catch {
    // Without storage, nothing counts as seen.
    return null;
  }
}

/** Stores the seen version. Without storage, later visits report all changes again. */
export function storeLastSeen(userId: string, documentId: string, seen: LastSeen): void {
  try {
    localStorage.setItem(keyOf(userId, documentId), JSON.stringify(seen));
  } catch {
    return;
  }
}
