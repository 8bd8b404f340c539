/** Resolves with what a database answers to a request. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () =>
      reject(request.error ?? new DOMException("The request failed", "AbortError"));
  });
}

/** Resolves once a transaction is committed. */
function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () =>
      reject(transaction.error ?? new DOMException("The transaction was given up", "AbortError"));
    transaction.oncomplete = () => resolve();
    transaction.onerror = fail;
    transaction.onabort = fail;
  });
}

export type DeviceDatabase = {
  /** Resolves with the answer of `work` once its transaction over every store is committed; rejects, or never settles, where the device does so. */
  transact<T>(
    mode: "readonly" | "readwrite",
    work: (transaction: IDBTransaction) => Promise<T>,
  ): Promise<T>;
  /** Calls back when the browser has closed the database under this page, as when somebody clears its data: what was in it may be gone. */
  onLost(listener: () => void): () => void;
};

/** A database of this device with these stores: opened when it is first needed, and anew when it could not be opened or was closed. */
export function deviceDatabase(name: string, stores: readonly string[]): DeviceDatabase {
  const listeners = new Set<() => void>();
  let opening: Promise<IDBDatabase> | null = null;
  const lose = () => {
    opening = null;
    for (const listener of listeners) listener();
  };

  // Without a number: a newer release may have raised it, and its stores hold these.
  const request = async (version?: number): Promise<IDBDatabase> => {
    const asked = indexedDB.open(name, version);
    asked.onupgradeneeded = () => {
      for (const store of stores)
        if (!asked.result.objectStoreNames.contains(store)) asked.result.createObjectStore(store);
    };
    return answerOf(asked);
  };

  const open = async (): Promise<IDBDatabase> => {
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
      opening = null;
      throw error;
    }
  };
  const opened = () => (opening ??= open());

  const begin = async (mode: IDBTransactionMode): Promise<IDBTransaction> => {
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
      const done = committed(transaction);
      done.catch(() => undefined);
      try {
        const answer = await work(transaction);
        await done;
        return answer;
      } catch (error) {
        abort(transaction);
        throw error;
      }
    },
    onLost(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Takes back what a transaction has done so far, if it still stands open. */
function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It is over already.
  }
}
