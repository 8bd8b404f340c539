/** Key prefix of text that was typed before its editor had loaded. */
const prefix = "palimpsest.early.";
/** Key prefix of titles that were typed before their pages had loaded. */
const titlePrefix = "palimpsest.early-title.";

/** Returns the documents with text that a person typed early on this device. */
export function earlyDocuments(userId: string): string[] {
  try {
    const begins = [prefix, titlePrefix].map((kind) => `${kind}${userId}.`);
    return Object.keys(localStorage).flatMap((key) => {
      const begin = begins.find((one) => key.startsWith(one));
      return begin === undefined ? [] : [key.slice(begin.length).split(".")[0] ?? ""];
    });
  } catch {
    // Without storage, no text is kept.
    return [];
  }
}
