import { inspectUpdate } from "./update-inspection";
import type { InspectedUpdate } from "./update-inspection";

/** One of this tab's edits on its way to the log; `key` is its key in the outbox. */
export type PendingEdit = {
  key: string;
  update: Uint8Array;
  time: number;
  inspected: InspectedUpdate;
};

/** Parses one of this tab's edits; throws UpdateError on anything that Yjs did not write. */
export function pendingEdit(key: string, update: Uint8Array, time: number): PendingEdit {
  return { key, update, time, inspected: inspectUpdate(update) };
}

/**
 * Divides edits into those that may be appended now, in this order, and those with a dependency
 * that neither the log (`clockOf`) nor an earlier one holds.
 */
export function divide(
  edits: readonly PendingEdit[],
  clockOf: (client: number) => number,
): { ready: PendingEdit[]; waiting: PendingEdit[] } {
  const reached = new Map<number, number>();
  const known = (client: number) => reached.get(client) ?? clockOf(client);
  const ready: PendingEdit[] = [];
  const waiting: PendingEdit[] = [];
  for (const edit of edits) {
    if (dependsOnMore(edit.inspected, known)) {
      waiting.push(edit);
      continue;
    }
    ready.push(edit);
    for (const { client, clock, length } of edit.inspected.structs)
      reached.set(client, Math.max(known(client), clock + length));
  }
  return { ready, waiting };
}

/** The most client ids of one event with new structs; the database refuses more. */
const mostWriters = 64;

/**
 * Groups edits, in order, into events of at most `maxBytes` of plain updates, `maxEdits` edits, and
 * as many client ids as the database accepts.
 */
export function inEvents(
  edits: PendingEdit[],
  maxBytes: number,
  maxEdits: number,
): PendingEdit[][] {
  const events: PendingEdit[][] = [];
  let size = 0;
  let clients = new Set<number>();
  for (const edit of edits) {
    const last = events.at(-1);
    const together = new Set([...clients, ...clientIdsOf([edit])]);
    if (
      last &&
      size + edit.update.length <= maxBytes &&
      last.length < maxEdits &&
      together.size <= mostWriters
    ) {
      last.push(edit);
      clients = together;
    } else {
      events.push([edit]);
      size = 0;
      clients = new Set(clientIdsOf([edit]));
    }
    size += edit.update.length;
  }
  return events;
}

/** The client ids of the structs that these edits bring. */
export function clientIdsOf(edits: PendingEdit[]): number[] {
  return [
    ...new Set(edits.flatMap(({ inspected }) => inspected.structs.map(({ client }) => client))),
  ];
}

/** Whether an update depends on something that neither it nor `known` holds. */
export function dependsOnMore(
  update: Pick<InspectedUpdate, "structs" | "deletes">,
  known: (client: number) => number,
): boolean {
  return missingClients(update, known).length > 0;
}

/** The clients of which an update needs more than it or `known` holds. */
export function missingClients(
  { structs, deletes }: Pick<InspectedUpdate, "structs" | "deletes">,
  known: (client: number) => number,
): number[] {
  const own = new Map<number, number>();
  const reached = (client: number) => own.get(client) ?? known(client);
  const missingDependencies: number[] = [];
  for (const { client, clock, length } of structs) {
    if (clock > reached(client)) missingDependencies.push(client);
    own.set(client, Math.max(reached(client), clock + length));
  }
  for (const { dependsOn } of structs)
    for (const { client, clock } of dependsOn)
      if (clock >= reached(client)) missingDependencies.push(client);
  for (const { client, clock, length } of deletes)
    if (clock + length > reached(client)) missingDependencies.push(client);
  return missingDependencies;
}
