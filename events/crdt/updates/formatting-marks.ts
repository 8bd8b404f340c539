import type * as Y from "yjs";

/**
 * Keeps Yjs from tidying up formatting marks after a remote change. It would do so by deletions of its own, made by
 * every reader, even by one who may not write: changes to the text which nobody has typed.
 */
export function disableFormattingCleanup(doc: Y.Doc): void {
  // Emitted right before the tidying, which looks at this mark only.
  doc.on("afterTransaction", (transaction: Y.Transaction) => {
    transaction._needFormattingCleanup = false;
  });
}
