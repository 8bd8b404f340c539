import { answerOf, committed, deviceDatabase } from './database'
import { type Outbox, type OutboxRecord } from './outbox'
import { type TabLocks } from './tab-locks'

const store = 'records'

/** The scope and the tab of a record's key, whose third part is its own. */
function placeOf(key: IDBValidKey): { scope: string; tab: string } {
  const [scope, tab] = Array.isArray(key) ? key : []
  return { scope: String(scope), tab: String(tab) }
}

/**
 * The outbox in IndexedDB; a tab's part is its own for as long as it holds its lock. What a dead tab left is moved in one
 * transaction, so two tabs never adopt the same.
 */
export function indexedDbOutbox(input: { tab: string; locks: TabLocks; name?: string }): Outbox {
  const database = deviceDatabase(input.name ?? 'palimpsest-outbox', [store])
  const placesIn = async (range: IDBKeyRange) => (await answerOf((await database()).transaction(store).objectStore(store).getAllKeys(range))).map(placeOf)

  return {
    async documents(userId) {
      const places = await placesIn(IDBKeyRange.bound([`${userId}/`, '', ''], [`${userId}/\uffff`, '', '']))
      return [...new Set(places.map(({ scope }) => scope.slice(userId.length + 1)))]
    },
    async open({ userId, documentId }) {
      const scope = `${userId}/${documentId}`
      const lockOf = (tab: string) => `palimpsest-outbox/${scope}/${tab}`
      const release = await input.locks.hold(lockOf(input.tab))
      return {
        async adopt() {
          const places = await placesIn(IDBKeyRange.bound([scope, '', ''], [scope, '\uffff', '\uffff']))
          const tabs = new Set(places.map(({ tab }) => tab).filter((tab) => tab !== input.tab || release === null))
          const adopted: OutboxRecord[] = []
          for (const tab of tabs) adopted.push(...(await adoptFrom(await database(), input.locks, { scope, from: tab, to: input.tab, lock: lockOf(tab) })))
          return adopted
        },
        async write({ put = [], remove = [] }) {
          const transaction = (await database()).transaction(store, 'readwrite', { durability: 'relaxed' })
          const records = transaction.objectStore(store)
          for (const key of remove) records.delete([scope, input.tab, key])
          for (const record of put) records.put(record, [scope, input.tab, record.key])
          await committed(transaction)
        },
        async close() {
          release?.()
        },
      }
    },
  }
}

async function adoptFrom(
  database: IDBDatabase,
  locks: TabLocks,
  move: { scope: string; from: string; to: string; lock: string },
): Promise<OutboxRecord[]> {
  const release = await locks.hold(move.lock)
  if (!release) return []
  try {
    const transaction = database.transaction(store, 'readwrite')
    const kept = transaction.objectStore(store)
    const range = IDBKeyRange.bound([move.scope, move.from, ''], [move.scope, move.from, '\uffff'])
    const records: OutboxRecord[] = await answerOf(kept.getAll(range))
    kept.delete(range)
    for (const record of records) kept.put(record, [move.scope, move.to, record.key])
    await committed(transaction)
    return records
  } finally {
    release()
  }
}

