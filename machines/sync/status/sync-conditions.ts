import { type Actor, type SnapshotFrom } from "xstate";
import { type syncMachine } from "./sync";

type Sync = Actor<typeof syncMachine>;
type Outbox = SnapshotFrom<typeof syncMachine>["value"]["outbox"];

/** Resolves once the log has been read for the first time. */
export function untilContact(sync: Sync): Promise<void> {
  return new Promise((resolve) => {
    const { unsubscribe } = sync.subscribe((snapshot) => {
      if (snapshot.value.contact !== "made") return;
      unsubscribe();
      resolve();
    });
  });
}

/**
 * Resolves when no edits wait (`count` is 0), or when those that do, refused or not, are on the
 * device (`isStored`).
 */
export function untilEmptied(
  sync: Sync,
  count: () => number,
  isStored: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const { unsubscribe } = sync.subscribe({ next: (snapshot) => check(snapshot.value.outbox) });
    const check = (outbox: Outbox) => {
      const resting = outbox === "refused" || outbox === "retrying" || isHeld(outbox);
      if (count() > 0 && !(resting && isStored())) return;
      unsubscribe();
      resolve();
    };
    check(sync.getSnapshot().value.outbox);
  });
}

function isHeld(outbox: Outbox): boolean {
  return typeof outbox === "object" && outbox.waiting === "held";
}
