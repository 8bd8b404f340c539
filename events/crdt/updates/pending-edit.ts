import { inspectUpdate } from "./update-inspection";
import type { InspectedUpdate } from "./update-inspection";

/** An edit of this tab that the log does not have yet. `key` is its key in the outbox. */
export type PendingEdit = {
  key: string;
  update: Uint8Array;
  time: number;
  inspected: InspectedUpdate;
};

/** Parses an edit of this tab. Throws UpdateError on bytes that Yjs did not write. */
export function pendingEdit(key: string, update: Uint8Array, time: number): PendingEdit {
  return { key, update, time, inspected: inspectUpdate(update) };
}

/**
 * Divides edits into the ones that can be appended now, in this order, and the ones with a missing
 * dependency: neither the log (`clockOf`) nor an earlier edit holds it.
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

/** The most client ids with new structs in one event. The database refuses more. */
const mostWriters = 64;

/**
 * Groups edits, in order, into events. An event has at most `maxBytes` of plain updates, `maxEdits`
 * edits, and as many client ids as the database accepts.
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

/** Returns the client ids of the structs in these edits. */
export function clientIdsOf(edits: PendingEdit[]): number[] {
  return [
    ...new Set(edits.flatMap(({ inspected }) => inspected.structs.map(({ client }) => client))),
  ];
}

/** Whether an update depends on a clock that neither the update nor `known` holds. */
export function dependsOnMore(
  update: Pick<InspectedUpdate, "structs" | "deletes">,
  known: (client: number) => number,
): boolean {
  return missingClients(update, known).length > 0;
}

/** Returns the clients whose clocks an update depends on but neither it nor `known` holds. */
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
