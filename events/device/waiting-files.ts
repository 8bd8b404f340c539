import { deviceDatabase } from "./database";
import { broadcastNews } from "./tab-news";

/** A file that was added to a text and is not stored yet. */
export type WaitingFile = {
  file: string;
  /** The id of the event that will record the file. A retry under the same id records it once. */
  event: string;
  document: string;
  userId: string;
  name: string;
  kind: "image" | "file";
  bytes: Blob;
};

const store = "files";
const database = deviceDatabase("palimpsest-files", [store]);
const scopeOf = (file: string) => `palimpsest-file/${file}`;

/** Stores a file on this device until the server has it. */
export function keepFile(waiting: WaitingFile): Promise<void> {
  return database.transact("readwrite", async (transaction) => {
    await transaction.objectStore(store).put(waiting, waiting.file);
  });
}

/** Whether the device still holds a file. */
export function isFileWaiting(file: string): Promise<boolean> {
  return database.transact(
    "readonly",
    async (transaction) => (await transaction.objectStore(store).getKey(file)) !== undefined,
  );
}

/** Removes a stored or cancelled file from the device, and notifies the other tabs. */
export async function letFileGo(file: string): Promise<void> {
  await database.transact("readwrite", (transaction) =>
    transaction.objectStore(store).delete(file),
  );
  const line = broadcastNews(() => undefined);
  line.post({ scope: scopeOf(file), kind: "changed" });
  line.close();
}

/**
 * Calls the listener when another tab has removed a file from the device. Returns the function that
 * unsubscribes.
 */
export function onFileLetGo(file: string, listener: () => void): () => void {
  const line = broadcastNews((heard) => heard.scope === scopeOf(file) && listener());
  return () => line.close();
}

/** Counts the files that this person's tabs have not stored yet. */
export function countWaitingFiles(userId: string): Promise<number> {
  return database.transact("readonly", async (transaction) => {
    // Only this module writes into the store.
    const all = (await transaction.objectStore(store).getAll()) as WaitingFile[];
    return all.filter((each) => each.userId === userId).length;
  });
}

/** Reads the files of a document that this person's tabs have not stored yet. */
export function waitingFiles(document: string, userId: string): Promise<WaitingFile[]> {
  return database.transact("readonly", async (transaction) => {
    // Only this module writes into the store.
    const all = (await transaction.objectStore(store).getAll()) as WaitingFile[];
    return all.filter((each) => each.document === document && each.userId === userId);
  });
}
