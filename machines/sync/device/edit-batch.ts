import type { Proposal } from "@/events/core/envelope";
import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import { clientIdsOf, pendingEdit } from "@/events/crdt/updates/pending-edit";
import type { PendingEdit } from "@/events/crdt/updates/pending-edit";

/**
 * Edits as one event, resent byte for byte until the event is ruled (acknowledged) or refused.
 * `key` is its record key in the outbox.
 */
export type EditBatch = { key: string; proposal: Proposal; edits: PendingEdit[] };

/** Builds one event from edits. `schema` is the version of the text's schema. */
export function buildBatch(
  key: string,
  edits: PendingEdit[],
  { id, schema }: { id: string; schema: number },
): EditBatch {
  const proposal: Proposal = {
    id,
    type: "document.edited",
    body: {},
    update: encodeEdits(edits),
    clientIds: clientIdsOf(edits),
    schema,
    clientTime: new Date(edits[0]?.time ?? 0).toISOString(),
  };
  return { key, proposal, edits };
}

/**
 * Unpacks a stored batch into its edits. Throws PayloadError or UpdateError if this release cannot
 * read the batch.
 */
export function openBatch(key: string, proposal: Proposal): EditBatch {
  const start = Date.parse(proposal.clientTime ?? "");
  const edits = decodeEdits(proposal.update ?? new Uint8Array([0, 0]), start);
  return {
    key,
    proposal,
    edits: edits.map(({ update, time }, index) => pendingEdit(`${key}/${index}`, update, time)),
  };
}
