import type * as Y from "yjs";

/**
 * Keeps Yjs from cleaning up formatting marks after a remote change. Every reader, even one without
 * the right to write, would make its own deletions: changes to the text that nobody typed.
 */
export function disableFormattingCleanup(doc: Y.Doc): void {
  // Emitted right before the cleanup, which checks this flag only.
  doc.on("afterTransaction", (transaction: Y.Transaction) => {
    transaction._needFormattingCleanup = false;
  });
}
