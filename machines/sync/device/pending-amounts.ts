import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import type { EditBatch } from "./edit-batch";

/** The number of this tab's edits and events that the log has not acknowledged. */
export type PendingAmounts = {
  pending: { edits: number; bytes: number };
  batches: { events: number; edits: number; bytes: number };
  orphaned: number;
  unreadable: number;
  deferredDeletions: number;
};

type Counted = {
  edits: readonly PendingEdit[];
  batches: readonly EditBatch[];
  unplaced: { orphaned: readonly unknown[]; unreadable: readonly unknown[] };
  deferredDeletions: number;
};

/** Counts the pending edits, events and deletions. */
export function amountsOf({
  edits,
  batches,
  unplaced,
  deferredDeletions,
}: Counted): PendingAmounts {
  const sent = batches.flatMap((batch) => batch.edits);
  return {
    pending: { edits: edits.length, bytes: bytesOf(edits) },
    batches: { events: batches.length, edits: sent.length, bytes: bytesOf(sent) },
    orphaned: unplaced.orphaned.length,
    unreadable: unplaced.unreadable.length,
    deferredDeletions,
  };
}

function bytesOf(edits: readonly PendingEdit[]): number {
  return edits.reduce((sum, { update }) => sum + update.length, 0);
}
