'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import type { Backend } from '../../events/backend'
import { checkHistory, nothingRemembered, type Report } from '../../events/proof/verification'
import { redactionOf } from './redaction'

export type Check =
  | { state: 'running'; version: number }
  | { state: 'done'; report: Report; /** When this browser began to remember the document. */ since: number | null }
  | { state: 'cancelled' }
  | { state: 'failed' }

/** Checks a document's history as soon as it is used, and again when asked. */
export function useCheck(backend: Pick<Backend, 'store' | 'history'>, documentId: string): { check: Check; again: () => void; cancel: () => void } {
  const [check, setCheck] = useState<Check>({ state: 'running', version: 0 })
  const [round, setRound] = useState(0)
  const control = useRef<AbortController | null>(null)
  useEffect(() => {
    const running = new AbortController()
    control.current = running
    const { signal } = running
    const run = async () => {
      // Without a memory there is nothing to compare with; the chain itself can still be checked.
      const remembered = await backend.history.recall(documentId).catch(() => nothingRemembered)
      const report = await checkHistory({
        stream: documentId,
        source: backend.store,
        remembered,
        redactionOf,
        signal,
        onProgress: (version) => setCheck({ state: 'running', version }),
      })
      setCheck({ state: 'done', report, since: remembered.since })
    }
    run().catch(() => {
      if (!signal.aborted) setCheck({ state: 'failed' })
    })
    return () => running.abort()
  }, [backend, documentId, round])
  const again = useCallback(() => {
    setCheck({ state: 'running', version: 0 })
    setRound((count) => count + 1)
  }, [])
  const cancel = useCallback(() => {
    control.current?.abort()
    setCheck({ state: 'cancelled' })
  }, [])
  return { check, again, cancel }
}
