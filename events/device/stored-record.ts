import type { OutboxRecord } from "./outbox";

/**
 * Parses a value of the device's outbox, stored under the last part of a key, as a record. A value
 * that this release did not write is `broken`.
 */
export function recordFrom(key: string, found: unknown): OutboxRecord {
  if (typeof found !== "object" || found === null || !("kind" in found))
    return { kind: "broken", key, found };
  // The key names the record, so a record that lost its own name is still found.
  const named = { ...found, key };
  return isRecord(named) ? named : { kind: "broken", key, found };
}

function isRecord(found: {
  kind: unknown;
  key: string;
}): found is Exclude<OutboxRecord, { kind: "broken" }> {
  const update = "update" in found && found.update instanceof Uint8Array;
  if (found.kind === "edit") {
    const schema = !("schema" in found) || Number.isInteger(found.schema);
    const time = "time" in found && typeof found.time === "number" && Number.isFinite(found.time);
    return update && time && schema;
  }
  if (found.kind === "support" || found.kind === "deferred") return update;
  return (
    found.kind === "event" &&
    "edits" in found &&
    typeof found.edits === "number" &&
    "proposal" in found &&
    isEdit(found.proposal)
  );
}

/** Whether a value is a proposal of edits, as an event in an outbox is. */
function isEdit(proposal: unknown): boolean {
  if (typeof proposal !== "object" || proposal === null) return false;
  const { id, type, update, clientIds, clientTime }: { [name: string]: unknown } = { ...proposal };
  if (typeof id !== "string" || type !== "document.edited" || !(update instanceof Uint8Array))
    return false;
  const numbers =
    clientIds === undefined ||
    (Array.isArray(clientIds) && clientIds.every((client) => typeof client === "number"));
  return numbers && (clientTime === undefined || typeof clientTime === "string");
}
