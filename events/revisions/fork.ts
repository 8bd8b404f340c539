import * as Y from "yjs";
import type { ValidationRow } from "@/events/crdt/validation/validation";
import { copiedEmpty, copyInEvents, mostStructs } from "./copy-in-events";
import type { ImportedPassage } from "./copy-in-events";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { Places } from "@/events/crdt/updates/places";
import { readUpdate, writeUpdate } from "@/events/crdt/updates/yjs-update";
import type { DeleteBlock } from "@/events/crdt/updates/yjs-update";

/** A document folded from its log, with the places of the content that people deleted. */
type Folded = { doc: Y.Doc; deleted: Places };

function folded(rows: readonly ValidationRow[]): Folded {
  const fold = new ConfirmedDocument(null);
  const deleted = new Places();
  for (const row of rows)
    for (const { inspected } of fold.integrate(row)) deleted.add(inspected.deletes);
  return { doc: fold.doc, deleted };
}

/** Folds the rows, but of the last row only the edits up to this index. */
function foldedTo(rows: readonly ValidationRow[], lastEdit: number): Folded {
  const fold = new ConfirmedDocument(null);
  const deleted = new Places();
  for (const row of rows.slice(0, -1))
    for (const { inspected } of fold.integrate(row)) deleted.add(inspected.deletes);
  const doc = new Y.Doc();
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(fold.doc));
  for (const row of rows.slice(-1)) {
    for (const { index, update, inspected } of fold.integrate(row)) {
      if (index > lastEdit) break;
      Y.applyUpdate(doc, update);
      deleted.add(inspected.deletes);
    }
  }
  return { doc, deleted };
}

/**
 * Encodes a document's difference from a state vector, with only the deletions that people made.
 * For Yjs, redacted content is deleted too. A redaction here must not remove the words from
 * documents where they still stand.
 */
function stateOf({ doc, deleted }: Folded, beyond?: Uint8Array): Uint8Array {
  const deletes = new Map<number, DeleteBlock>();
  for (const { client, clock, length } of deleted.ranges()) {
    const block = deletes.get(client) ?? { client, ranges: [] };
    block.ranges.push({ clock, length });
    deletes.set(client, block);
  }
  return writeUpdate({
    blocks: readUpdate(Y.encodeStateAsUpdate(doc, beyond), mostStructs).blocks,
    deletes: [...deletes.values()],
  });
}

/**
 * Returns a fork's initial content: the state of a document's rows as the updates of events to
 * append in this order, and the resulting text. `source` is the document's id. `lastEdit` is the
 * forked edit's index in the last row, since an event may hold thousands of edits.
 */
export function copyOf(
  rows: readonly ValidationRow[],
  source: string,
  lastEdit: number | null = null,
): { passages: ImportedPassage[]; doc: Y.Doc } {
  const fold = lastEdit === null ? folded(rows) : foldedTo(rows, lastEdit);
  const passages =
    fold.doc.store.clients.size === 0 ? [copiedEmpty(source)] : copyInEvents(stateOf(fold), source);
  return { passages, doc: fold.doc };
}

/** Returns the passages of `copyOf` without the text. */
export const forkOf = (...of: Parameters<typeof copyOf>): ImportedPassage[] =>
  copyOf(...of).passages;

/**
 * Returns the updates that bring the content of one document into another with the same beginning.
 * Both then hold everything written in either document, as if it had been written concurrently in
 * one. Empty if there is nothing to merge.
 */
export function mergeOf(
  from: readonly ValidationRow[],
  into: readonly ValidationRow[],
  source: string,
): ImportedPassage[] {
  const [there, here] = [folded(from), folded(into)];
  const before = Y.encodeStateAsUpdate(here.doc);
  const brought = stateOf(there, Y.encodeStateVector(here.doc));
  Y.applyUpdate(here.doc, brought);
  const same = Y.encodeStateAsUpdate(here.doc);
  if (same.length === before.length && same.every((byte, index) => byte === before[index]))
    return [];
  return copyInEvents(brought, source);
}
