import * as Y from "yjs";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";

/**
 * The document folded to a version: a Yjs state and, if known, its client id bindings and the hash
 * (hex) of its last row.
 */
export type WholeState = {
  version: number;
  state: Uint8Array;
  since?: never;
  hash?: string;
  owners?: [client: number, userId: string][];
};

/**
 * The same state in parts: an earlier state, and the updates `since` then, in order, up to the
 * version.
 */
export type DocumentState = Omit<WholeState, "since"> & { since?: Uint8Array[] };

/**
 * The parts that a fold returns: its document at a version, and the number of rebuilds up to then.
 */
export type StateParts = DocumentState & { refolds: number };

/** The state of an empty document. */
export const emptyState: Uint8Array = Y.encodeStateAsUpdate(new Y.Doc());

/** Joins the parts of a state into one state, without the text that is deleted in it. */
export function joinState(parts: Pick<DocumentState, "state" | "since">): Uint8Array {
  const doc = new Y.Doc();
  disableFormattingCleanup(doc);
  applyState(doc, parts);
  return Y.encodeStateAsUpdate(doc);
}

/** Whether a stored value has the shape of the `owners` of a state. */
export function isBindings(value: unknown): value is [client: number, userId: string][] {
  return (
    Array.isArray(value) &&
    value.every(
      (pair) => Array.isArray(pair) && typeof pair[0] === "number" && typeof pair[1] === "string",
    )
  );
}

/** Applies an earlier state to a document that is still empty and has no observers. */
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
 * Makes Yjs skip the work after a transaction: collecting, merging and emitting. A state comes from
 * a document in which all of this was done, and repeating it takes as long as applying the state.
 */
function skipCleanup(transaction: Y.Transaction): void {
  const { doc } = transaction;
  transaction.deleteSet.clients.clear();
  transaction.changed.clear();
  transaction.beforeState = Y.decodeStateVector(Y.encodeStateVector(doc));
  // The cleanup must still run for this id: Yjs gives up a client id that another writer used.
  transaction.beforeState.delete(doc.clientID);
}
