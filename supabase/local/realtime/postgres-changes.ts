import { createHash } from "node:crypto";
import type { Json, JsonObject } from "./frames/frame";

/** Adds ids of 27 bits to a client's subscriptions. Equal subscriptions get equal ids. */
export function withIds(changes: JsonObject[]): JsonObject[] {
  return changes.map((change) => {
    const entries = Object.entries(change).sort(([a], [b]) => (a < b ? -1 : 1));
    const digest = createHash("sha256").update(JSON.stringify(entries)).digest();
    return { ...change, id: digest.readUInt32BE(0) >>> 5 };
  });
}

function term(value: Json | undefined): string {
  return value === undefined || value === null
    ? "nil"
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}

/**
 * Returns the message for subscriptions to table changes. This server supports no such
 * subscription, because it does not decode the WAL.
 */
export function describeChanges(changes: JsonObject[]): string {
  const [first = {}] = changes;
  const { event, schema, table, filter, select } = first;
  const filters = filter === undefined || filter === null ? "[]" : `[${term(filter)}]`;
  const parameters =
    `[event: ${term(event ?? "*")}, schema: ${term(schema)}, table: ` +
    `${term(table)}, filters: ${filters}, select: ${term(select)}]`;
  return (
    "postgres_changes is not offered by the embedded backend: send changes with " +
    `realtime.send or realtime.broadcast_changes. Unable to subscribe to ${parameters}`
  );
}
