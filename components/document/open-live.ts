import type { Backend } from '@/events/backend'
import { systemClock, systemRandom } from '@/events/clock'
import type { DocumentState } from '@/events/confirmed-document'
import { indexedDbOutbox } from '@/events/outbox-store'
import { leaseLocks, webLocks } from '@/events/tab-locks'
import { openDocument, type LiveDocument } from '@/machines/actors/live-document'
import { status, type SyncStatus } from '@/machines/actors/sync-status'
import { schemaVersion } from '../editor/schema'

type Input = {
  backend: Pick<Backend, 'store' | 'channels'>
  documentId: string
  userId: string
  initial: DocumentState
  mayWrite: boolean
  messageLimit: number | null
}

/** Opens a document in this tab, with the device's outbox and the tab's connection. */
export function openLive({ backend, documentId, userId, initial, mayWrite, messageLimit }: Input): LiveDocument {
  const locks = 'locks' in navigator ? webLocks(navigator.locks) : leaseLocks(localStorage, systemClock)
  return openDocument({
    documentId,
    userId,
    store: backend.store,
    channels: backend.channels,
    // A name of its own for every opening: the one before may still be sending what it holds.
    outbox: indexedDbOutbox({ tab: systemRandom.uuid(), locks }),
    clock: systemClock,
    random: systemRandom,
    schemaVersion,
    initial,
    access: mayWrite ? 'write' : 'read',
    messageLimit,
  })
}

/** What the status line of an open document says now. */
export function statusOf(live: LiveDocument): SyncStatus {
  return status(live.sync.getSnapshot())
}
