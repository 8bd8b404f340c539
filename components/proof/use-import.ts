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
import { type ImportPlan, planImport } from './bundle-import'

export type Import =
  | { state: 'idle' }
  | { state: 'checking'; done: number; events: number }
  | { state: 'checked'; checked: CheckedBundle; plan: ImportPlan }
  | { state: 'importing'; done: number; parts: number }
  /** `begun` is null where nothing more can be brought into it. */
  | { state: 'stopped'; why: string; begun: Begun | null }
  | { state: 'failed'; why: string }

/** A document of which `done` of its appends are recorded. */
type Begun = { document: string; appends: Proposal[][]; done: number }

const interrupted = 'Somebody changed it before it was complete. Move it to the trash, and import the file again.'
const another = 'Have the document exported once more, and choose that file.'
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
      const sha256 = toHex(await digest(bytes))
      const plan = planImport({ checked, file: sha256, workspaceId, newId: systemRandom.uuid, now: new Date().toISOString() })
      setStep({ state: 'checked', checked, plan })
    } catch (error) {
      setStep({ state: 'failed', why: error instanceof BundleError ? `${error.message} ${another}` : 'The file could not be read. Choose it again.' })
    }
  }, [workspaceId])

  const append = useCallback(
    async ({ document, appends, done: from }: Begun) => {
      let done = from
      const stop = (why: string, goesOn = true) => setStep(done === 0 ? { state: 'failed', why } : { state: 'stopped', why, begun: goesOn ? { document, appends, done } : null })
      setStep({ state: 'importing', done, parts: appends.length })
      try {
        for (const proposals of appends.slice(from)) {
          const answer = await store.append(document, done === 0 ? 0 : null, proposals)
          // The steps of a history follow each other without anything between them.
          if (!answer.ok && done > 0 && answer.refusal.name === 'illegal-transition') return stop(interrupted, false)
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
  const confirm = useCallback(({ appends }: ImportPlan) => append({ document: systemRandom.uuid(), appends, done: 0 }), [append])
  const restart = useCallback(() => setStep({ state: 'idle' }), [])
  return { step, choose, confirm, goOn: append, restart }
}
