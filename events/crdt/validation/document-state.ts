import * as Y from "yjs";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";

/**
 * The document at a version, folded earlier: a Yjs state, and the bindings of its client ids and
 * the hash of its last row (hex) if they are known.
 */
export type WholeState = {
  version: number;
  state: Uint8Array;
  since?: never;
  hash?: string;
  owners?: [client: number, userId: string][];
};

/** The same in parts: an earlier state, and the edits `since` then in order up to the version. */
export type DocumentState = Omit<WholeState, "since"> & { since?: Uint8Array[] };

/** Parts that a fold gives away: its document at a version, and how often it had been folded anew by then. */
export type StateParts = DocumentState & { refolds: number };

/** The state of a document that nothing was written in. */
export const emptyState: Uint8Array = Y.encodeStateAsUpdate(new Y.Doc());

/** Makes of the parts of a state one state, without the words that were deleted by then. */
export function joinState(parts: Pick<DocumentState, "state" | "since">): Uint8Array {
  const doc = new Y.Doc();
  disableFormattingCleanup(doc);
  applyState(doc, parts);
  return Y.encodeStateAsUpdate(doc);
}

/** Whether a value that was stored is the `owners` of a state. */
export function isBindings(value: unknown): value is [client: number, userId: string][] {
  return (
    Array.isArray(value) &&
    value.every(
      (pair) => Array.isArray(pair) && typeof pair[0] === "number" && typeof pair[1] === "string",
    )
  );
}

/** Brings a state that was folded earlier into a document that is empty yet, and that nobody observes. */
export function applyState(
  doc: Y.Doc,
  { state, since = [] }: Pick<DocumentState, "state" | "since">,
): void {
  doc.transact((transaction) => {
    Y.applyUpdate(doc, state);
    skipCleanup(transaction);
  });
  if (since.length === 0) return;
  doc.transact(() => {
    for (const update of since) Y.applyUpdate(doc, update);
  });
}

/**
 * Tells Yjs that a transaction has left nothing to be collected, merged or told. A state comes out
 * of a document in which all of that was done; looking for it once more takes as long as taking the
 * state up.
 */
function skipCleanup(transaction: Y.Transaction): void {
  const { doc } = transaction;
  transaction.deleteSet.clients.clear();
  transaction.changed.clear();
  transaction.beforeState = Y.decodeStateVector(Y.encodeStateVector(doc));
  // A client id that somebody else has written under is still given up.
  transaction.beforeState.delete(doc.clientID);
}
