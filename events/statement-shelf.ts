import type { Statement } from './statement'

/** Keeps statements until the log has them, across reloads, and shared by the tabs of one browser. */
export type StatementShelf = {
  put(statement: Statement): void
  /** A person's statements in the order in which they were made. */
  waiting(userId: string): Statement[]
  take(id: string): void
  /** Whether the arrival of this session was stated before, in whatever tab. */
  knows(sessionId: string): boolean
  know(sessionId: string): void
}

const waitingPrefix = 'palimpsest:statement:'
const knownKey = 'palimpsest:sessions'
const knownAtMost = 20

const isText = (value: unknown): value is string => typeof value === 'string'

function parseStatement(text: string | null): Statement | null {
  try {
    // Only this file writes under the prefix; what an older release wrote in another shape lacks the fields asked for.
    const statement = JSON.parse(text ?? 'null') as Statement | null
    return statement && isText(statement.id) && isText(statement.userId) && isText(statement.clientTime) ? statement : null
  } catch {
    return null
  }
}

function parseKnown(text: string | null): string[] {
  try {
    const known: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(known) ? known.filter(isText) : []
  } catch {
    return []
  }
}

/** A shelf in the browser's local storage: one entry a statement, so that two tabs never overwrite each other's. */
export function storageShelf(storage: Storage): StatementShelf {
  const known = () => parseKnown(storage.getItem(knownKey))
  return {
    put: (statement) => storage.setItem(waitingPrefix + statement.id, JSON.stringify(statement)),
    waiting(userId) {
      return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
        .filter((key) => key.startsWith(waitingPrefix))
        .map((key) => parseStatement(storage.getItem(key)))
        .filter((statement) => statement !== null)
        .filter((statement) => statement.userId === userId)
        .sort((a, b) => a.clientTime.localeCompare(b.clientTime))
    },
    take: (id) => storage.removeItem(waitingPrefix + id),
    knows: (sessionId) => known().includes(sessionId),
    know(sessionId) {
      const others = known().filter((other) => other !== sessionId)
      storage.setItem(knownKey, JSON.stringify([...others, sessionId].slice(-knownAtMost)))
    },
  }
}
