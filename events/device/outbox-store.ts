import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { type Outbox, type OutboxRecord } from './outbox'
import { type TabLocks } from './tab-locks'

interface Schema extends DBSchema {
  records: { key: [scope: string, tab: string, key: string]; value: OutboxRecord; indexes: Record<string, never> }
}


/**
 * The outbox in IndexedDB; a tab's part is its own for as long as it holds its lock. What a dead tab left is moved in one
 * transaction, so two tabs never adopt the same.
 */
export function indexedDbOutbox(input: { tab: string; locks: TabLocks; name?: string }): Outbox {
  let opening: Promise<IDBPDatabase<Schema>> | null = null
  const database = () =>
    (opening ??= openDB<Schema>(input.name ?? 'palimpsest-outbox', 1, {
      upgrade: (db) => {
        db.createObjectStore('records')
      },
      terminated: () => {
        opening = null
      },
    }).catch((error: unknown) => {
      opening = null
      throw error
    }))

  return {
    async documents(userId) {
      const db = await database()
      const keys = await db.getAllKeys('records', IDBKeyRange.bound([`${userId}/`, '', ''], [`${userId}/\uffff`, '', '']))
      return [...new Set(keys.map(([scope]) => scope.slice(userId.length + 1)))]
    },
    async open({ userId, documentId }) {
      const scope = `${userId}/${documentId}`
      const lockOf = (tab: string) => `palimpsest-outbox/${scope}/${tab}`
      const release = await input.locks.hold(lockOf(input.tab))
      return {
        async adopt() {
          const db = await database()
          const keys = await db.getAllKeys('records', IDBKeyRange.bound([scope, '', ''], [scope, '\uffff', '\uffff']))
          const tabs = new Set(keys.map(([, tab]) => tab).filter((tab) => tab !== input.tab || release === null))
          const adopted: OutboxRecord[] = []
          for (const tab of tabs) adopted.push(...(await adoptFrom(db, input.locks, { scope, from: tab, to: input.tab, lock: lockOf(tab) })))
          return adopted
        },
        async write({ put = [], remove = [] }) {
          const db = await database()
          const transaction = db.transaction('records', 'readwrite', { durability: 'relaxed' })
          await Promise.all([
            ...remove.map((key) => transaction.store.delete([scope, input.tab, key])),
            ...put.map((record) => transaction.store.put(record, [scope, input.tab, record.key])),
            transaction.done,
          ])
        },
        async close() {
          release?.()
        },
      }
    },
  }
}

async function adoptFrom(
  db: IDBPDatabase<Schema>,
  locks: TabLocks,
  move: { scope: string; from: string; to: string; lock: string },
): Promise<OutboxRecord[]> {
  const release = await locks.hold(move.lock)
  if (!release) return []
  try {
    const transaction = db.transaction('records', 'readwrite')
    const range = IDBKeyRange.bound([move.scope, move.from, ''], [move.scope, move.from, '\uffff'])
    const records = await transaction.store.getAll(range)
    await Promise.all([
      transaction.store.delete(range),
      ...records.map((record) => transaction.store.put(record, [move.scope, move.to, record.key])),
      transaction.done,
    ])
    return records
  } finally {
    release()
  }
}

