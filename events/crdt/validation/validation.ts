import { equalBytes } from "@/events/core/bytes/bytes";
import { readCopyIn } from "@/events/crdt/payload/copy-in-payload";
import type { Containers } from "./containers";
import { ContentCheck } from "./content-check";
import { textSchemas } from "@/events/content/text-schema";
import type { Ruled } from "@/events/core/envelope";
import { decodeEdits, PayloadError } from "@/events/crdt/payload/payload";
import type { Edit } from "@/events/crdt/payload/payload";
import { isWithoutContent } from "@/events/crdt/payload/redaction";
import { bringsTombstone, readTombstone } from "@/events/crdt/payload/tombstone-payload";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import type { InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import { UpdateError, writeUpdate } from "@/events/crdt/updates/yjs-update";

/**
 * The version of the rule in `accept`, stored with everything that is derived from a log. Every
 * change of the rule must increase it.
 */
export const validationRule = 4;

/**
 * The reason why readers reject an edit of the log. `unsupported`: the edit is accepted without the
 * content that the schema does not allow.
 */
export type AnomalyReason = "malformed" | "foreign-client" | "gap" | "unsupported";
export type Anomaly = { version: number; index: number; actorId: string; reason: AnomalyReason };

/** The fields of a row that the rule needs. */
export type ValidationRow = Pick<
  Ruled,
  "version" | "actorId" | "clientIds" | "clientTime" | "schema" | "update"
>;

/**
 * An edit of the log that every honest reader accepts, in its accepted form, with its inspection.
 */
export type ValidatedEdit = Edit & { index: number; inspected: InspectedUpdate };
export type Accepted = { edits: ValidatedEdit[]; anomalies: Anomaly[] };

/**
 * The state of the log so far that the rule needs: the owner of each Yjs client id (a user, or
 * `carried:` and the source stream), each client's clock, and the place of all content.
 */
export type Bindings = {
  owners: Map<number, string>;
  reached: Map<number, number>;
  containers: Containers;
};

/**
 * Returns the bindings of a stream before its first event. `containers` must know all content that
 * is accepted from then on.
 */
export function noBindings(containers: Containers): Bindings {
  return { owners: new Map(), reached: new Map(), containers };
}

/**
 * The most clocks without content (deleted before they were sent) in one event. They take few bytes
 * to send, but memory in every reader. An undone paste stays far below this limit.
 */
const mostEmptyTicks = 2 ** 20;
/** The limit for a tombstone, whose empty clocks were once text: a payload holds at most 8 MiB. */
const mostErasedTicks = 2 ** 23;

/**
 * Whether an update skips a clock, or depends on or deletes a missing clock. `reached` has the
 * first missing clock of each client.
 */
export function hasMissingDependency(
  { structs, deletes }: InspectedUpdate,
  reached: Pick<Map<number, number>, "get">,
): boolean {
  const own = new Map<number, number>();
  const known = (client: number) => own.get(client) ?? reached.get(client) ?? 0;
  for (const { client, clock, length } of structs) {
    if (clock > known(client)) return true;
    own.set(client, Math.max(known(client), clock + length));
  }
  return (
    structs.some((struct) =>
      struct.dependsOn.some(
        ({ client, clock }) =>
          clock >= known(client) || (client === struct.client && clock >= struct.clock),
      ),
    ) || deletes.some(({ client, clock, length }) => clock + length > known(client))
  );
}

function inspectedOrNull(update: Uint8Array): InspectedUpdate | null {
  try {
    return inspectUpdate(update);
  } catch (error) {
    if (error instanceof UpdateError) return null;
    throw error;
  }
}

/**
 * Returns the meaning of an event's bytes: their owner, whether they are a tombstone, and their
 * payload. The payload is null for a tombstone that its event carries for another event.
 */
export function contentOf({ actorId, update }: Pick<ValidationRow, "actorId" | "update">): {
  owner: string;
  erased: boolean;
  payload: Uint8Array | null;
} {
  const tombstone = update && readTombstone(update);
  const whole = tombstone ?? update;
  const copyIn = whole && readCopyIn(whole);
  const payload = copyIn?.payload ?? whole;
  return {
    owner: copyIn ? `carried:${copyIn.source}` : actorId,
    erased: tombstone !== null,
    payload: payload && (payload.length === 0 || bringsTombstone(payload)) ? null : payload,
  };
}

/** Whether a client id belongs to copied-in content, so that no writer uses it in this stream. */
export function isCopyIn(owner: string): boolean {
  return owner.startsWith("carried:");
}

/** Returns the stream that a client id's content was copied from, or null for own content. */
export function carriedFrom(owner: string): string | null {
  return isCopyIn(owner) ? owner.slice("carried:".length) : null;
}

/** Adds the client ids that a row binds to `owners`. The first binding of an id wins. */
export function bindClients(
  row: Pick<ValidationRow, "actorId" | "clientIds" | "update">,
  owners: Map<number, string>,
): void {
  const { owner } = contentOf(row);
  for (const client of row.clientIds) if (!owners.has(client)) owners.set(client, owner);
}

/** An edit that has been inspected before. */
export type InspectedEdit = Pick<ValidatedEdit, "update" | "inspected">;

function editsOf(payload: Uint8Array | null, start: number): Edit[] | null {
  if (!payload) return [];
  try {
    return decodeEdits(payload, start);
  } catch (error) {
    if (error instanceof PayloadError) return null;
    throw error;
  }
}

/**
 * Accepts or rejects an event's edits. Every reader of a log, live or in replay, uses this one
 * rule. An edit is rejected and recorded as an anomaly in three cases: it is malformed, it writes
 * under a client id that is not bound to the event's actor (for copied-in content, to its source
 * stream), or one of its dependencies is not in the log. Content that the event's schema does not
 * allow is also recorded as an anomaly and leaves a gap, so that dependent structs still apply.
 * Advances `bindings`, except for `containers`, which must know the edits of all earlier events.
 * Events must be passed in the order of their versions. An edit of `own` with the same bytes at the
 * same index is not inspected again.
 */
export function accept(
  row: ValidationRow,
  bindings: Bindings,
  own: readonly InspectedEdit[] = [],
): Accepted {
  const { owners, reached, containers } = bindings;
  bindClients(row, owners);
  const { owner, erased, payload } = contentOf(row);
  const edits = editsOf(payload, Date.parse(row.clientTime));
  const anomalies: Anomaly[] = [];
  const addAnomaly = (index: number, reason: AnomalyReason) =>
    anomalies.push({ version: row.version, index, actorId: row.actorId, reason });
  if (!edits) {
    addAnomaly(0, "malformed");
    return { edits: [], anomalies };
  }
  const accepted: ValidatedEdit[] = [];
  const schema = textSchemas.get(row.schema);
  // Content of an unknown, newer schema cannot be judged. A client that reads it stops writing.
  const content =
    schema && new ContentCheck(schema, containers, (client) => reached.get(client) ?? 0);
  let emptyTicks = 0;
  for (const [index, edit] of edits.entries()) {
    const known = own[index];
    const inspected =
      known && equalBytes(known.update, edit.update)
        ? known.inspected
        : inspectedOrNull(edit.update);
    if (inspected) emptyTicks += inspected.emptyTicks;
    if (!inspected || emptyTicks > (erased ? mostErasedTicks : mostEmptyTicks))
      addAnomaly(index, "malformed");
    else if (erased && !isWithoutContent(edit.update)) addAnomaly(index, "malformed");
    else if (inspected.structs.some(({ client }) => owners.get(client) !== owner))
      addAnomaly(index, "foreign-client");
    else if (hasMissingDependency(inspected, reached)) addAnomaly(index, "gap");
    else {
      const supported = content?.check(inspected.parts) ?? inspected.parts;
      for (const { client, clock, length } of inspected.structs) {
        reached.set(client, Math.max(reached.get(client) ?? 0, clock + length));
      }
      if (supported === inspected.parts) accepted.push({ ...edit, index, inspected });
      else {
        addAnomaly(index, "unsupported");
        const update = writeUpdate(supported);
        accepted.push({ ...edit, update, index, inspected: inspectUpdate(update) });
      }
    }
  }
  return { edits: accepted, anomalies };
}
