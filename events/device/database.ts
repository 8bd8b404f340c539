import { type IDBPDatabase, type IDBPObjectStore, type IDBPTransaction, openDB } from "idb";

type Mode = "readonly" | "readwrite";

/** A transaction over every store of a database of this device. */
export type DeviceTransaction<M extends Mode = Mode> = IDBPTransaction<unknown, string[], M>;

/** What is used of one of its stores. */
export type DeviceStore<M extends Mode = Mode> = Pick<
  IDBPObjectStore<unknown, string[], string, M>,
  "get" | "getAll" | "getAllKeys" | "getKey" | "put" | "delete" | "clear"
>;

export type DeviceDatabase = {
  /**
   * Resolves with the answer of `work` once its transaction over every store is committed; rejects,
   * or never settles, where the device does so.
   */
  transact<T, M extends Mode>(
    mode: M,
    work: (transaction: DeviceTransaction<M>) => Promise<T>,
  ): Promise<T>;
  /**
   * Calls back when the browser has closed the database under this page, as when somebody clears
   * its data: what was in it may be gone.
   */
  onClosed(listener: () => void): () => void;
};

/**
 * A database of this device with these stores: opened when it is first needed, and anew when it
 * could not be opened or was closed.
 */
export function deviceDatabase(name: string, stores: readonly string[]): DeviceDatabase {
  const listeners = new Set<() => void>();
  let opening: Promise<IDBPDatabase> | null = null;
  const lose = () => {
    opening = null;
    for (const listener of listeners) listener();
  };

  // Without a number: a newer release may have raised it, and its stores hold these.
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
        // Made by something else, or left half made by a browser that was killed.
        const { version } = database;
        database.close();
        database = await request(version + 1);
      }
      database.onclose = lose;
      database.onversionchange = () => {
        // A newer release, or whoever deletes the database, must not wait for this page.
        database.close();
        lose();
      };
      return database;
    } catch (error) {
      // Not before somebody waits for this promise: a browser may refuse at once.
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
      // It was closed, and nobody has said so.
      opening = null;
      return (await opened()).transaction(stores, mode, { durability: "relaxed" });
    }
  };

  return {
    async transact(mode, work) {
      const transaction = await begin(mode);
      // Work that fails is what is told of; the end of its transaction is no second fault.
      transaction.done.catch(() => undefined);
      try {
        const answer = await work(transaction);
        await transaction.done;
        return answer;
      } catch (error) {
        // Where the device ends a transaction, its requests say no more than that it was ended.
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

/** Takes back what a transaction has done so far, if it still stands open. */
function abort(transaction: DeviceTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It is over already.
  }
}
