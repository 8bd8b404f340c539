import * as Y from "yjs";
import type { Clock } from "@/events/core/clock";
import type { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import type { Provisional, ProvisionalUpdates } from "@/events/crdt/validation/provisional-updates";
import { dependsOnMore } from "@/events/crdt/updates/pending-edit";
import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import { ClientRebase } from "@/events/crdt/updates/rebase/client-rebase";
import type { OwnEdits } from "./own-edits";
import { TimeSlices } from "../channel/time-slices";

/** Why a page returned to the log's state. */
export type RebuildReason =
  | "author-gone"
  | "client-id-taken"
  | "discarded"
  | "log-rolled-back"
  | "not-applied"
  | "refolded"
  | "rejected"
  | "unlike-log"
  | "unlogged-too-long";

/** Why the page is rebuilt, and what the rebuild changes. */
export type RebuildRequest = {
  reason: RebuildReason;
  /**
   * Pending edits that are rebased even if they could be appended as they are. Edits with
   * dependencies that the log lacks are always rebased.
   */
  again?: readonly PendingEdit[];
  /** The first waiting edit. The rebuild is unneeded once the log holds its dependencies. */
  waiting?: PendingEdit;
  /** A state that was once in the log, and on which the edits may depend. */
  besides?: Uint8Array;
  /** Selects those of others' unlogged updates that are no longer shown. */
  forget?: (entry: Provisional) => boolean;
};

export type RebuildInput = {
  userId: string;
  clock: Clock;
  confirmed: ConfirmedDocument;
  own: Pick<OwnEdits, "unacknowledged" | "waitingForComposition">;
  provisional: ProvisionalUpdates;
  clientId: number;
  root: string;
  /**
   * Reads all typed input. If that is not possible yet, returns a promise that resolves when the
   * caller should call again.
   */
  settle(): Promise<void> | null;
  /** Whether the rebuild was ended, or another request has arrived since it began. */
  outdated(): boolean;
  /** Replaces the current page with the rebuilt one. */
  exchange(made: ClientRebase): void;
};

const chunk = 32;

/** The outcome of a rebuild: the new page is in place, is unneeded, or has to be rebuilt again. */
type Outcome = "done" | "unneeded" | "outdated";

/**
 * Builds a page from the log and the pending edits, in slices, and replaces the current one. The
 * new page includes everything typed, received and logged up to the turn of the replacement. The
 * rebuild may turn out to be unneeded, or may have to start over.
 */
export async function rebuildPage(
  input: RebuildInput,
  requests: readonly RebuildRequest[],
): Promise<Outcome> {
  const { confirmed, own, provisional, settle, outdated } = input;
  const { refolds, version } = confirmed;
  const slices = new TimeSlices(input.clock);
  // Compares by key, because a composition that has ended since has one edit now, under the key of
  // its first edit.
  const again = new Set(requests.flatMap((request) => request.again ?? []).map(({ key }) => key));
  const made = new ClientRebase(input.clientId, [input.root]);
  made.grow(Y.encodeStateAsUpdate(confirmed.doc));
  for (const { besides } of requests) if (besides) made.besides(besides);

  const laid = new Set<Provisional>();
  const rebuilt = new Set<PendingEdit>();
  const heard = () => provisional.entries.filter((entry) => !laid.has(entry));
  const written = () => {
    // The held edits are joined into one edit when the composition ends.
    const waiting = new Set(own.waitingForComposition);
    return own.unacknowledged.filter((edit) => !rebuilt.has(edit) && !waiting.has(edit));
  };
  const layOut = (some: readonly Provisional[]) => {
    for (const entry of some) laid.add(entry);
    made.layOut(some.map(({ inspected }) => inspected));
  };
  // Only this person has written under such a client id, so the log's structs are identical.
  const isLogged = ({ inspected: { structs } }: PendingEdit) =>
    structs.length > 0 &&
    structs.every(
      ({ client, clock, length }) =>
        clock + length <= confirmed.clockOf(client) && confirmed.ownerOf(client) === input.userId,
    );
  const take = (some: readonly PendingEdit[]) => {
    for (const edit of some) rebuilt.add(edit);
    made.take(
      some.filter((edit) => !isLogged(edit)),
      (edit) => again.has(edit.key),
    );
  };
  for (;;) {
    for (const some of chunks(heard())) {
      layOut(some);
      await slices.yieldIfDue(some.length);
    }
    for (const some of chunks(written())) {
      take(some);
      await slices.yieldIfDue(some.length);
    }
    if (outdated()) break;
    // From here on everything is synchronous. The remaining updates and edits arrived during
    // earlier turns.
    const busy = settle();
    if (busy === null && heard().length + written().length <= chunk) {
      layOut(heard());
      take(written());
      break;
    }
    await busy;
  }
  return finished(input, requests, made, { refolds, version });
}

function finished(
  { confirmed, own, outdated, exchange }: RebuildInput,
  requests: readonly RebuildRequest[],
  made: ClientRebase,
  begun: { refolds: number; version: number },
): Outcome {
  const unneeded = requests.every(
    ({ waiting }) =>
      waiting && !dependsOnMore(waiting.inspected, (client) => confirmed.clockOf(client)),
  );
  const unsent = new Set(own.unacknowledged);
  if (
    outdated() ||
    unneeded ||
    confirmed.refolds !== begun.refolds ||
    !made.replaced.every((edit) => unsent.has(edit))
  ) {
    made.doc.destroy();
    made.destroy();
    return unneeded && !outdated() ? "unneeded" : "outdated";
  }
  if (confirmed.version !== begun.version)
    made.grow(Y.encodeStateAsUpdate(confirmed.doc, made.vector));
  exchange(made);
  return "done";
}

function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / chunk) }, (_, index) =>
    items.slice(index * chunk, (index + 1) * chunk),
  );
}
