'use client'

import { useCallback, useState } from 'react'
import type { Backend } from '../../events/backend'
import { BundleError, bundleLimits } from '../../events/bundle-format'
import { systemRandom } from '../../events/clock'
import { toHex } from '../../events/hash'
import { sentence } from '../../events/refusal'
import { digest } from '../../events/sha256'
import { type CheckedBundle, checkBundle } from './bundle-check'
import { importProposals } from './bundle-import'

export type Import =
  | { state: 'idle' }
  | { state: 'checking'; done: number; events: number }
  | { state: 'checked'; checked: CheckedBundle; file: string; name: string }
  | { state: 'importing'; done: number; parts: number }
  | { state: 'failed'; why: string }

const unreachable = 'The server could not be reached. Try again when you are back online.'

async function contentOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > bundleLimits.packed) {
    throw new BundleError(`The file has ${Math.ceil(file.size / 2 ** 20)} MB; at most ${bundleLimits.packed / 2 ** 20} MB are taken.`)
  }
  return new Uint8Array(await file.arrayBuffer())
}

/** Checks a chosen file and, when asked, begins a document with it; `onImported` is told the new document's id. */
export function useImport(store: Backend['store'], workspaceId: string, onImported: (id: string) => void) {
  const [step, setStep] = useState<Import>({ state: 'idle' })

  const choose = useCallback(async (file: File) => {
    setStep({ state: 'checking', done: 0, events: 1 })
    try {
      const bytes = await contentOf(file)
      const checked = await checkBundle(bytes, (done, events) => setStep({ state: 'checking', done, events }))
      setStep({ state: 'checked', checked, file: toHex(await digest(bytes)), name: file.name })
    } catch (error) {
      setStep({ state: 'failed', why: error instanceof BundleError ? error.message : 'The file could not be read.' })
    }
  }, [])

  const confirm = useCallback(
    async (checked: CheckedBundle, file: string) => {
      const document = systemRandom.uuid()
      const appends = importProposals({ checked, file, workspaceId, newId: systemRandom.uuid, now: new Date().toISOString() })
      setStep({ state: 'importing', done: 0, parts: appends.length })
      try {
        for (const [index, proposals] of appends.entries()) {
          const answer = await store.append(document, index === 0 ? 0 : null, proposals)
          if (!answer.ok) return setStep({ state: 'failed', why: sentence(answer.refusal) })
          setStep({ state: 'importing', done: index + 1, parts: appends.length })
        }
        onImported(document)
      } catch {
        setStep({ state: 'failed', why: unreachable })
      }
    },
    [store, workspaceId, onImported],
  )
  const restart = useCallback(() => setStep({ state: 'idle' }), [])
  return { step, choose, confirm, restart }
}
