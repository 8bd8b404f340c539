import { isBindings } from "@/events/crdt/validation/document-state";
import type { WholeState } from "@/events/crdt/validation/document-state";
import { systemClock } from "@/events/core/clock";
import { deviceDatabase } from "./database";
import type { DeviceStore } from "./database";
import { withDeadline } from "./deadline";

/** Identifies one person's copy of one document on this device. The copy holds the log's state. */
export type CopyKey = { userId: string; documentId: string };

const store = "documents";
const database = deviceDatabase("palimpsest-copies", [store]);

const keyOf = ({ userId, documentId }: CopyKey) => [userId, documentId];

function isState(value: unknown): value is WholeState {
  if (typeof value !== "object" || value === null || !("version" in value) || !("state" in value))
    return false;
  if ("owners" in value && !isBindings(value.owners)) return false;
  if ("hash" in value && typeof value.hash !== "string") return false;
  return typeof value.version === "number" && value.state instanceof Uint8Array;
}

/** Stores a document's state in the log, replacing an older copy. */
export async function writeCopy(key: CopyKey, copy: WholeState): Promise<void> {
  await change((copies) => copies.put(copy, keyOf(key)));
}

/** Reads a person's copy of a document on this device. Resolves to null if none exists. */
export async function readCopy(key: CopyKey): Promise<WholeState | null> {
  const reading = database.transact("readonly", (transaction) =>
    transaction.objectStore(store).get(keyOf(key)),
  );
  const found: unknown = await withDeadline(systemClock, reading);
  return isState(found) ? found : null;
}

/** Deletes the copy of a document that its person may no longer see. */
export async function dropCopy(key: CopyKey): Promise<void> {
  await change((copies) => copies.delete(keyOf(key)));
}

/** Deletes every copy on this device. */
export async function dropCopies(): Promise<void> {
  await change((copies) => copies.clear());
}

async function change(how: (copies: DeviceStore<"readwrite">) => Promise<unknown>): Promise<void> {
  await withDeadline(
    systemClock,
    database.transact("readwrite", (transaction) => {
      const changed = how(transaction.objectStore(store));
      // Commits now: a page that is about to end would not commit later.
      transaction.commit();
      return changed;
    }),
  );
}
