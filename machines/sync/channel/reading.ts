import type { AcceptedEdit } from "@/events/crdt/validation/confirmed-document";
import type { Ruled } from "@/events/core/envelope";

/**
 * The result of one read of the log: the rows, the edits in them, and whether the fold restarted.
 * If the log did not continue from the state held here, `stateBefore` is that Yjs state and `rows`
 * is the whole log.
 */
export type LogReading = {
  rows: Ruled[];
  accepted: AcceptedEdit[];
  refolded: boolean;
  stateBefore: Uint8Array | null;
};
