import { type AcceptedEdit } from "@/events/crdt/validation/confirmed-document";
import { type Ruled } from "@/events/core/envelope";

/**
 * What one reading of the log brought: the rows, the edits in them, and whether the fold had to
 * begin anew. `lost` is the Yjs state that stood here where the log turned out not to go on from
 * it; `rows` are all of the log then.
 */
export type LogReading = {
  rows: Ruled[];
  accepted: AcceptedEdit[];
  refolded: boolean;
  stateBefore: Uint8Array | null;
};
