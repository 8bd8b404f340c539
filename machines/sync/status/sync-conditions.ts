import type { Actor, SnapshotFrom } from "xstate";
import type { syncMachine } from "./sync";

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
 * Resolves when no edits wait (`count` is 0), or when the waiting edits, refused or not, are on the
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

/**
 * Resolves once pending edits are safe on the device or in the log. `answered` resolves when the
 * device has stored or refused them. After a refusal, each event of the machine calls it again.
 */
export async function untilStored(
  sync: Sync,
  { answered, isSafe }: { answered: () => Promise<void>; isSafe: () => boolean },
): Promise<void> {
  await answered();
  while (!isSafe()) {
    await new Promise<void>((resolve) => {
      const { unsubscribe } = sync.subscribe(() => {
        unsubscribe();
        resolve();
      });
    });
    await answered();
  }
}

/** Resolves once no other tab has edits of this person for the document. */
export function untilAlone(sync: Sync): Promise<void> {
  return new Promise((resolve) => {
    const { unsubscribe } = sync.subscribe({ next: ({ context }) => check(context.elsewhere) });
    const check = (elsewhere: string) => {
      if (elsewhere !== "none") return;
      unsubscribe();
      resolve();
    };
    check(sync.getSnapshot().context.elsewhere);
  });
}

function isHeld(outbox: Outbox): boolean {
  return typeof outbox === "object" && outbox.waiting === "held";
}
