/** Resolves with what a database answers to a request. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new DOMException('The request failed', 'AbortError'))
  })
}

/** Resolves once a transaction is committed. */
export function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new DOMException('The transaction was given up', 'AbortError'))
    transaction.oncomplete = () => resolve()
    transaction.onerror = fail
    transaction.onabort = fail
  })
}

/** Opens a database of this device with these stores when it is first asked for, and anew when it could not be opened or the browser has closed it. */
export function deviceDatabase(name: string, stores: readonly string[]): () => Promise<IDBDatabase> {
  let opening: Promise<IDBDatabase> | null = null
  const forget = () => {
    opening = null
  }
  const open = async () => {
    try {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => {
        for (const store of stores) request.result.createObjectStore(store)
      }
      const database = await answerOf(request)
      database.onclose = forget
      return database
    } catch (error) {
      forget()
      throw error
    }
  }
  return () => (opening ??= open())
}
