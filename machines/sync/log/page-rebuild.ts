import * as Y from "yjs";
import { type Clock } from "@/events/core/clock";
import { type ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import {
  type Provisional,
  type ProvisionalUpdates,
} from "@/events/crdt/validation/provisional-updates";
import { dependsOnMore, type PendingEdit } from "@/events/crdt/updates/pending-edit";
import { ClientRebase } from "@/events/crdt/updates/rebase/client-rebase";
import { type OwnEdits } from "./own-edits";
import { TimeSlices } from "../channel/time-slices";

/** What made a page go back to the log. */
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

/** Why the page is built anew, and what becomes of it. */
export type RebuildRequest = {
  reason: RebuildReason;
  /**
   * Own edits that are made again even if they could be appended as they are; what depends on more
   * than the log is in any case.
   */
  again?: readonly PendingEdit[];
  /** There is nothing to do any more once the log holds what this one depends on, the first of those that wait. */
  waiting?: PendingEdit;
  /** What else the edits may depend on, that was in the log once. */
  besides?: Uint8Array;
  /** Which of the others' unlogged updates are not shown any more. */
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
  /** Takes in what has been typed until now; where it cannot be yet, resolves when it is worth asking again. */
  settle(): Promise<void> | null;
  /** Whether something came up that this rebuild does not know of. */
  outdated(): boolean;
  /** Puts the page that was made in the place of the one before. */
  exchange(made: ClientRebase): void;
};

const chunk = 32;

/** Whether the new page stands, there was nothing to do in the end, or it has to be begun anew. */
type Outcome = "done" | "unneeded" | "outdated";

/**
 * Makes a page from the log and one's own edits, in slices, and puts it in the place of the one
 * before. What is typed, heard and logged meanwhile goes into it as well, and whatever is typed
 * until the very turn in which it goes over. It may also turn out that it is not needed any more,
 * or has to be begun anew.
 */
export async function rebuildPage(
  input: RebuildInput,
  requests: readonly RebuildRequest[],
): Promise<Outcome> {
  const { confirmed, own, provisional, settle, outdated } = input;
  const { refolds, version } = confirmed;
  const slices = new TimeSlices(input.clock);
  // By their keys: the edits of a composition that has ended since are one now, under the key of the first.
  const again = new Set(requests.flatMap((request) => request.again ?? []).map(({ key }) => key));
  const made = new ClientRebase(input.clientId, [input.root]);
  made.grow(Y.encodeStateAsUpdate(confirmed.doc));
  for (const { besides } of requests) if (besides) made.besides(besides);

  const laid = new Set<Provisional>();
  const rebuilt = new Set<PendingEdit>();
  const heard = () => provisional.entries.filter((entry) => !laid.has(entry));
  const written = () => {
    // They are made into one when it ends.
    const waiting = new Set(own.waitingForComposition);
    return own.unacknowledged.filter((edit) => !rebuilt.has(edit) && !waiting.has(edit));
  };
  const layOut = (some: readonly Provisional[]) => {
    for (const entry of some) laid.add(entry);
    made.layOut(some.map(({ inspected }) => inspected));
  };
  // Nobody but this person has written under such a client id: what the log has of it is the same.
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
    // Nobody has a turn from here on: what is still to be taken in came while the others had theirs.
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
