const prefix = "palimpsest.early.";

/** Begins the names under which the device keeps what a person typed into a text before its editor was there. */
export function earlyKey({ userId, documentId }: { userId: string; documentId: string }): string {
  return `${prefix}${userId}.${documentId}.`;
}

/** The documents of which the device keeps such words of a person. */
export function earlyDocuments(userId: string): string[] {
  try {
    const begin = `${prefix}${userId}.`;
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(begin));
    return keys.map((key) => key.slice(begin.length).split(".")[0] ?? "");
  } catch {
    // A browser that gives no storage keeps nothing.
    return [];
  }
}
