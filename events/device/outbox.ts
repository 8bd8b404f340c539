import { type Proposal } from '../envelope'

/**
 * What a tab keeps until the log has it. An `edit` waits to be put into an event; an `event` is sealed: sent, or about
 * to be, and to be sent again byte for byte until it is ruled; a `support` is somebody else's unlogged update that an
 * edit hangs on, without which the edit could not be made again; `deferred` are deletions of what may yet come back.
 */
export type OutboxRecord =
  | { kind: 'edit'; key: string; update: Uint8Array; time: number }
  | { kind: 'event'; key: string; proposal: Proposal; edits: number }
  | { kind: 'support'; key: string; update: Uint8Array }
  | { kind: 'deferred'; key: string; update: Uint8Array }

export type OutboxScope = { userId: string; documentId: string }

/** The part of the outbox that one tab owns for one document. */
export type OutboxBox = {
  /** What other tabs of this person left behind; from now on this tab's. */
  adopt(): Promise<OutboxRecord[]>
  /** Puts and removes in one step; rejects when the device cannot keep it. */
  write(change: { put?: OutboxRecord[]; remove?: string[] }): Promise<void>
  /** Gives the box up: what is still in it may be adopted by another tab. */
  close(): Promise<void>
}

export type Outbox = {
  open(scope: OutboxScope): Promise<OutboxBox>
  /** The documents for which this person's tabs, living or dead, keep something. */
  documents(userId: string): Promise<string[]>
}

/** An outbox in memory. Boxes opened from one `memoryOutbox` find each other as tabs of one browser do. */
export function memoryOutbox(): Outbox & { crash(box: OutboxBox): void } {
  const tabs = new Map<OutboxBox, { scope: string; alive: boolean; records: Map<string, OutboxRecord> }>()
  return {
    async open({ userId, documentId }) {
      const scope = `${userId}/${documentId}`
      const own = { scope, alive: true, records: new Map<string, OutboxRecord>() }
      const box: OutboxBox = {
        async adopt() {
          if (!own.alive) return []
          const found: OutboxRecord[] = []
          for (const [other, tab] of tabs) {
            if (tab.alive || tab.scope !== scope) continue
            found.push(...tab.records.values())
            tabs.delete(other)
          }
          for (const record of found) own.records.set(record.key, record)
          return found
        },
        async write({ put = [], remove = [] }) {
          if (!own.alive) return
          for (const key of remove) own.records.delete(key)
          for (const record of put) own.records.set(record.key, record)
        },
        async close() {
          own.alive = false
          if (own.records.size === 0) tabs.delete(box)
        },
      }
      tabs.set(box, own)
      return box
    },
    async documents(userId) {
      const scopes = [...tabs.values()].filter(({ records }) => records.size > 0).map(({ scope }) => scope)
      return [...new Set(scopes)].filter((scope) => scope.startsWith(`${userId}/`)).map((scope) => scope.slice(userId.length + 1))
    },
    crash(box) {
      const tab = tabs.get(box)
      if (tab) tab.alive = false
    },
  }
}
