import type * as Y from "yjs";

/**
 * Keeps Yjs from removing redundant formatting marks after a remote change. Every reader, even one
 * without the right to write, would otherwise add deletions of its own to the text.
 */
export function disableFormattingCleanup(doc: Y.Doc): void {
  // Yjs emits this event right before the cleanup, which checks only this flag.
  doc.on("afterTransaction", (transaction: Y.Transaction) => {
    transaction._needFormattingCleanup = false;
  });
}
