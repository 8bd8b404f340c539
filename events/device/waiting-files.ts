import { deviceDatabase } from "./database";

/** A file that somebody has put into a text and that is not stored yet. */
export type WaitingFile = {
  file: string;
  /** The id of the event that will record it: what is sent twice is recorded once. */
  event: string;
  document: string;
  userId: string;
  name: string;
  kind: "image" | "file";
  bytes: Blob;
};

const store = "files";
const database = deviceDatabase("palimpsest-files", [store]);

/** Keeps a file on this device until it is stored. */
export function keepFile(waiting: WaitingFile): Promise<void> {
  return database.transact("readwrite", async (transaction) => {
    await transaction.objectStore(store).put(waiting, waiting.file);
  });
}

/** Lets a file go that is stored, or that nobody wants any more. */
export function letFileGo(file: string): Promise<void> {
  return database.transact("readwrite", (transaction) =>
    transaction.objectStore(store).delete(file),
  );
}

/** What a person's tabs have left of a document's files. */
export function waitingFiles(document: string, userId: string): Promise<WaitingFile[]> {
  return database.transact("readonly", async (transaction) => {
    // Nobody but this module writes into the store.
    const all = (await transaction.objectStore(store).getAll()) as WaitingFile[];
    return all.filter((each) => each.document === document && each.userId === userId);
  });
}
