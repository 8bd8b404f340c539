'use client'

import { useCallback, useState } from 'react'
import type { Backend } from '../../events/backend'
import { BundleError, bundleLimits } from '../../events/proof/bundle-format'
import { systemRandom } from '../../events/clock'
import type { Proposal } from '../../events/envelope'
import { toHex } from '../../events/hash'
import { sentence } from '../../events/refusal'
import { digest } from '../../events/sha256'
import { StoreFault } from '../../events/store'
import { type CheckedBundle, checkBundle } from './bundle-check'
import { importProposals } from './bundle-import'

export type Import =
  | { state: 'idle' }
  | { state: 'checking'; done: number; events: number }
  | { state: 'checked'; checked: CheckedBundle; file: string; name: string }
  | { state: 'importing'; done: number; parts: number }
  | { state: 'stopped'; why: string; begun: Begun }
  | { state: 'failed'; why: string }

/** A document of which `done` of its appends are recorded. */
type Begun = { document: string; appends: Proposal[][]; done: number }

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

  const append = useCallback(
    async ({ document, appends, done: from }: Begun) => {
      let done = from
      const stop = (why: string) => setStep(done === 0 ? { state: 'failed', why } : { state: 'stopped', why, begun: { document, appends, done } })
      setStep({ state: 'importing', done, parts: appends.length })
      try {
        for (const proposals of appends.slice(from)) {
          const answer = await store.append(document, done === 0 ? 0 : null, proposals)
          if (!answer.ok) return stop(sentence(answer.refusal))
          done += 1
          setStep({ state: 'importing', done, parts: appends.length })
        }
        onImported(document)
      } catch (fault) {
        stop(unreachable)
        if (!(fault instanceof StoreFault)) throw fault
      }
    },
    [store, onImported],
  )
  const confirm = useCallback(
    (checked: CheckedBundle, file: string) =>
      append({
        document: systemRandom.uuid(),
        appends: importProposals({ checked, file, workspaceId, newId: systemRandom.uuid, now: new Date().toISOString() }),
        done: 0,
      }),
    [append, workspaceId],
  )
  const restart = useCallback(() => setStep({ state: 'idle' }), [])
  return { step, choose, confirm, goOn: append, restart }
}
