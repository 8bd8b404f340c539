const prefix = "palimpsest.early.";
/** Begins the names of titles that were typed before their pages were there. */
const titlePrefix = "palimpsest.early-title.";

/** Begins the names under which the device keeps what a person typed into a text before its editor was there. */
export function earlyKey({ userId, documentId }: { userId: string; documentId: string }): string {
  return `${prefix}${userId}.${documentId}.`;
}

/** The documents of which the device keeps such words of a person. */
export function earlyDocuments(userId: string): string[] {
  try {
    const begins = [prefix, titlePrefix].map((kind) => `${kind}${userId}.`);
    return Object.keys(localStorage).flatMap((key) => {
      const begin = begins.find((one) => key.startsWith(one));
      return begin === undefined ? [] : [key.slice(begin.length).split(".")[0] ?? ""];
    });
  } catch {
    // A browser that gives no storage keeps nothing.
    return [];
  }
}
