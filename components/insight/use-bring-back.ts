'use client'

import { useState } from 'react'
import { systemRandom } from '../../events/clock'
import { firstCodePoints } from '../../events/code-points'
import { searchLine, type Found } from '../../events/insight/deleted-text-search'
import { pageBackground } from '../../events/background/page-background'
import { readWhole } from '../../events/background/history'
import { lostWith } from '../../events/insight/lost-passage'
import { sentence } from '../../events/refusal'
import { type Store } from '../../events/store'
import { type Timeline } from '../../events/replay/timeline'
import { schemaVersion } from '../editor/schema'
import { reportUnexpected, unsureWords } from '../failure-words'
import { useToast } from '../ui/toast'
import { bringBack } from './bring-back'

type Input = { documentId: string; store: Pick<Store, 'read' | 'append'> }
type Edit = { update: Uint8Array; clientIds: number[] }

const longestQuote = 280

/** Puts lost words back into the newest text by one event, and offers to take them out again. */
export function useBringBack({ documentId, store }: Input) {
  const toast = useToast()
  const [busy, setBusy] = useState(false)

  // What the log holds now: no event may hang on what is not in the log.
  const newest = () => readWhole({ source: store, documentId, signal: new AbortController().signal, onProgress: () => undefined, derive: () => pageBackground.deriver() })
  const append = async (edit: Edit, body: { to: number; quote: string }): Promise<boolean> => {
    const answer = await store.append(documentId, null, [
      {
        id: systemRandom.uuid(),
        type: 'document.reworked',
        body: { kind: 'passage', author: null, from: null, ...body },
        schema: schemaVersion,
        clientTime: new Date().toISOString(),
        ...edit,
      },
    ])
    if (!answer.ok) toast({ text: sentence(answer.refusal) })
    return answer.ok
  }
  const guarded = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (fault) {
      reportUnexpected(fault)
      toast({ text: unsureWords(fault, 'Nothing was changed', navigator.onLine) })
    } finally {
      setBusy(false)
    }
  }

  const bring = (timeline: Timeline, found: Found) =>
    guarded(async () => {
      const { timeline: now, state } = await newest()
      const same = searchLine(now, found.line, found.text).find(({ start }) => start === found.start)
      const lost = same && lostWith(now, same)
      const made = lost && bringBack(now, state, lost, systemRandom.clientId())
      if (!lost || !made) {
        toast({ text: 'These words stand in the text again. Nothing was changed.' })
        return
      }
      const stood = Math.max(found.since, timeline.groupBefore((found.until ?? 1) + 1) - 1)
      const quote = firstCodePoints(lost.text, longestQuote)
      if (!(await append(made, { to: timeline.moment(stood).version, quote }))) return
      const undo = () =>
        void guarded(async () => {
          const then = await newest()
          const update = made.undo(then.state)
          if (update) await append({ update, clientIds: [] }, { to: now.version, quote })
        })
      toast({
        text: 'The words are back in the text.',
        action: { label: 'Undo', instead: 'Delete the words in the text', onAct: undo },
      })
    })
  return { busy, bring }
}
