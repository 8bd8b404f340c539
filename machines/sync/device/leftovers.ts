import { reportError } from "@/events/core/error-report";
import type { OutboxRecord } from "@/events/device/outbox";
import { pendingEdit } from "@/events/crdt/updates/pending-edit";
import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { writtenText } from "@/events/crdt/updates/written-text";
import type { Range } from "@/events/crdt/updates/yjs-update";
import { openBatch } from "./edit-batch";
import type { EditBatch } from "./edit-batch";

/** A deletion whose target may still arrive, and the key of its record. */
export type Deferral = { key: string; range: Range };

/**
 * The records of an earlier tab on the device. `unreadable` are the records that this page cannot
 * read.
 */
export type Leftovers = {
  records: readonly OutboxRecord[];
  edits: PendingEdit[];
  events: EditBatch[];
  deferrals: Deferral[];
  dependencies: { key: string; update: Uint8Array }[];
  unreadable: OutboxRecord[];
};

/**
 * Reads the records of an earlier tab. A record that is damaged, or written by another release,
 * does not hold back the others.
 */
export function readLeft(records: readonly OutboxRecord[]): Leftovers {
  const left: Leftovers = {
    records,
    edits: [],
    events: [],
    deferrals: [],
    dependencies: [],
    unreadable: [],
  };
  for (const record of records) {
    try {
      take(record, left);
    } catch (error) {
      reportError(error, { during: "reading an unsent edit", kind: "tolerated" });
      // The record stays on the device for a page that can read it. This page reports the record.
      left.unreadable.push(record);
    }
  }
  return left;
}

function take(
  record: OutboxRecord,
  { edits, events, deferrals, dependencies, unreadable }: Leftovers,
): void {
  const { key } = record;
  if (record.kind === "edit") edits.push(pendingEdit(key, record.update, record.time));
  else if (record.kind === "event") events.push(openBatch(key, record.proposal));
  else if (record.kind === "deferred")
    deferrals.push(...inspectUpdate(record.update).deletes.map((range) => ({ key, range })));
  else if (record.kind === "broken") unreadable.push(record);
  else {
    inspectUpdate(record.update);
    dependencies.push({ key, update: record.update });
  }
}

/**
 * Returns the text that a device keeps and the log does not have: the readable edits in time order,
 * followed by the text that can be recovered from the other records.
 */
export function textOf({
  edits,
  events,
  unreadable,
}: {
  edits: readonly PendingEdit[];
  events: readonly EditBatch[];
  unreadable: readonly OutboxRecord[];
}): string {
  const readable = [...edits, ...events.flatMap((event) => event.edits)].sort(
    (one, other) => one.time - other.time,
  );
  const texts = [writtenText(readable.map(({ update }) => update)), ...unreadable.map(remains)];
  return texts.filter((text) => text !== "").join("\n");
}

/** Recovers the runs of letters in the bytes of an unreadable record. */
function remains(record: OutboxRecord): string {
  const found: unknown = record.kind === "broken" ? record.found : record;
  return bytesIn(found, 4).flatMap(lettersIn).join(" ");
}

/** Returns the byte arrays in a value of any shape, down to the depth of a record. */
function bytesIn(value: unknown, depth: number): Uint8Array[] {
  if (value instanceof Uint8Array) return [value];
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((inner) => bytesIn(inner, depth - 1));
}

/** Finds words in arbitrary bytes: runs of at least three letters, digits, marks or spaces. */
function lettersIn(bytes: Uint8Array): string[] {
  const runs = new TextDecoder().decode(bytes).match(/[\p{L}\p{N}\p{P}\p{Z}]{3,}/gu) ?? [];
  return runs
    .map((run) => run.trim())
    .filter((run) => /\p{L}/u.test(run) && !/^(default|paragraph|text)$/.test(run));
}
