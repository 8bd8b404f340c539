'use client'

import { useCallback, useEffect, useState } from 'react'
import type { DocumentState } from '@/events/confirmed-document'
import type { Ruled } from '@/events/envelope'
import type { PresenceState } from '@/events/presence-list'
import type { LiveDocument } from '@/machines/actors/live-document'
import type { SyncStatus } from '@/machines/actors/sync-status'
import type { LiveText } from '../editor/text-editor'
import { useSessionResumed, useTab } from '../session/backend-provider'

type Input = {
  documentId: string
  userId: string
  initial: DocumentState
  access: 'write' | 'read' | 'none'
  presence: PresenceState
  /** Hears the log's rows as they are read; the same function on every render. */
  onRows: (rows: Ruled[]) => void
  /** Hears that this tab has written something; the same function on every render. */
  onWritten: () => void
}

/** An open document as the page shows it; everything is null until its code and its connection are there. */
export type OpenedDocument = { live: LiveDocument | null; text: LiveText | null; status: SyncStatus | null; here: LiveDocument['people'] }

const closed: OpenedDocument = { live: null, text: null, status: null, here: [] }

function isSame(one: SyncStatus | null, other: SyncStatus): boolean {
  return one !== null && one.label === other.label && one.sentence === other.sentence && one.action === other.action
}

/** Opens the document for as long as the component is shown, and keeps what the page shows of it current. */
export function useLiveDocument({ documentId, userId, initial, access, presence, onRows, onWritten }: Input): OpenedDocument {
  const { open, messageLimit } = useTab()
  const [opened, setOpened] = useState<OpenedDocument>(closed)
  const [first] = useState({ initial, mayWrite: access === 'write' })
  useEffect(() => {
    let stop = () => {}
    let left = false
    void Promise.all([open(), import('./open-live')]).then(([{ backend }, { openLive, statusOf }]) => {
      if (left) return
      const live = openLive({ backend, documentId, userId, messageLimit, ...first })
      const textOf = (): LiveText => ({ fragment: live.fragment, awareness: live.awareness, userId })
      const say = () =>
        setOpened((before) => {
          const now = statusOf(live)
          return isSame(before.status, now) ? before : { ...before, status: now }
        })
      const stops = [
        live.onReplaced(() => setOpened((before) => ({ ...before, text: textOf() }))),
        live.onPeople(() => setOpened((before) => ({ ...before, here: live.people }))),
        live.onRows(onRows),
        live.sync.subscribe((snapshot) => {
          say()
          if (snapshot.context.pending > 0) onWritten()
        }).unsubscribe,
      ]
      const hide = () => live.flush()
      const warn = (event: BeforeUnloadEvent) => {
        if (live.sync.getSnapshot().context.pending > 0 && live.sync.getSnapshot().value.storage !== 'device') event.preventDefault()
      }
      const network = () => live.sync.send({ type: navigator.onLine ? 'online' : 'offline' })
      if (!navigator.onLine) network()
      addEventListener('online', network)
      addEventListener('offline', network)
      addEventListener('pagehide', hide)
      document.addEventListener('visibilitychange', hide)
      addEventListener('beforeunload', warn)
      setOpened({ live, text: textOf(), status: statusOf(live), here: live.people })
      stop = () => {
        for (const end of stops) end()
        removeEventListener('online', network)
        removeEventListener('offline', network)
        removeEventListener('pagehide', hide)
        document.removeEventListener('visibilitychange', hide)
        removeEventListener('beforeunload', warn)
        void live.close()
      }
    })
    return () => {
      left = true
      setOpened(closed)
      stop()
    }
  }, [open, documentId, userId, messageLimit, first, onRows, onWritten])
  const { live } = opened
  useSessionResumed(useCallback(() => live?.resume(), [live]))
  useEffect(() => live?.setAccess(access), [live, access])
  useEffect(() => live?.setPresence(presence), [live, presence])
  return opened
}
