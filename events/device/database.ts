import { openDB } from "idb";
import type { IDBPDatabase, IDBPObjectStore, IDBPTransaction } from "idb";

type Mode = "readonly" | "readwrite";

/** A transaction over all stores of a device database. */
export type DeviceTransaction<M extends Mode = Mode> = IDBPTransaction<unknown, string[], M>;

/** The methods of a store that the product calls. */
export type DeviceStore<M extends Mode = Mode> = Pick<
  IDBPObjectStore<unknown, string[], string, M>,
  "get" | "getAll" | "getAllKeys" | "getKey" | "put" | "delete" | "clear"
>;

export type DeviceDatabase = {
  /**
   * Resolves with the result of `work` once its transaction over all stores is committed. Rejects
   * if the device does so, and never settles if the device never answers.
   */
  transact<T, M extends Mode>(
    mode: M,
    work: (transaction: DeviceTransaction<M>) => Promise<T>,
  ): Promise<T>;
  /**
   * Calls the listener when the browser has closed the database under this page, for example
   * because its data was cleared. The content may then be lost.
   */
  onClosed(listener: () => void): () => void;
};

/**
 * Returns an IndexedDB database with these stores. The database is opened on first use, and again
 * after a failed opening or a close.
 */
export function deviceDatabase(name: string, stores: readonly string[]): DeviceDatabase {
  const listeners = new Set<() => void>();
  let opening: Promise<IDBPDatabase> | null = null;
  const lose = () => {
    opening = null;
    for (const listener of listeners) listener();
  };

  // Opens without a version: a newer release may have raised it, and its stores include these.
  const request = (version?: number): Promise<IDBPDatabase> =>
    openDB(name, version, {
      upgrade(database) {
        for (const store of stores)
          if (!database.objectStoreNames.contains(store)) database.createObjectStore(store);
      },
    });

  const open = async (): Promise<IDBPDatabase> => {
    try {
      let database = await request();
      if (stores.some((store) => !database.objectStoreNames.contains(store))) {
        // The database was created by other code, or left incomplete by a killed browser.
        const { version } = database;
        database.close();
        database = await request(version + 1);
      }
      database.onclose = lose;
      database.onversionchange = () => {
        // A newer release, or a deletion of the database, must not wait for this page.
        database.close();
        lose();
      };
      return database;
    } catch (error) {
      // Waits a tick, because a browser may refuse at once, before the caller awaits this promise.
      await Promise.resolve();
      opening = null;
      throw error;
    }
  };
  const opened = () => (opening ??= open());

  const begin = async <M extends Mode>(mode: M): Promise<DeviceTransaction<M>> => {
    try {
      return (await opened()).transaction(stores, mode, { durability: "relaxed" });
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
      // The database was closed without an event, so it is opened again.
      opening = null;
      return (await opened()).transaction(stores, mode, { durability: "relaxed" });
    }
  };

  return {
    async transact(mode, work) {
      const transaction = await begin(mode);
      // The failure of `work` is reported. The aborted transaction is not a second fault.
      transaction.done.catch(() => undefined);
      try {
        const answer = await work(transaction);
        await transaction.done;
        return answer;
      } catch (error) {
        // After the device aborts a transaction, its requests report only that it was aborted.
        const why = transaction.error;
        abort(transaction);
        throw why ?? error;
      }
    },
    onClosed(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Rolls back a transaction that is still open. */
function abort(transaction: DeviceTransaction): void {
  try {
    transaction.abort();
  } catch {
    // The transaction has already finished.
  }
}
