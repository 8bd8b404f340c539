'use client'

import { useState } from 'react'
import { systemRandom } from '../../events/clock'
import { documentAt, pageAt } from '../../events/document-text'
import { readTimeline } from '../../events/history'
import { sentence } from '../../events/refusal'
import { type Store } from '../../events/store'
import { type Timeline } from '../../events/timeline'
import { schemaVersion } from '../editor/schema'
import { useToast } from '../ui/toast'
import { restoreUpdate, wordDelta, type WordDelta } from './restore'

type Input = { documentId: string; store: Pick<Store, 'read' | 'append'>; onRestored: () => void }
/** What is being asked: a moment of a history, and what its return would do to the words of now. */
export type Question = { timeline: Timeline; index: number; delta: WordDelta }

const unreachable = 'The server could not be reached. Nothing was changed; try again when you are back online.'

/** Makes a moment the present again: asks first, then appends `document.reverted` on top of everything that is there. */
export function useRestore({ documentId, store, onRestored }: Input) {
  const toast = useToast()
  const [question, setQuestion] = useState<Question | null>(null)

  // What the log holds now, not what the live page shows: no event may hang on what is not in the log.
  const newest = () =>
    readTimeline({ source: store, documentId, signal: new AbortController().signal, onProgress: () => undefined })

  const revert = async (from: Timeline, index: number): Promise<Timeline | null> => {
    const now = await newest()
    const made = restoreUpdate(now.state(), documentAt(from.blocks, index), systemRandom.clientId())
    if (!made) {
      toast({ text: 'The document reads like this already. Nothing was changed.' })
      return null
    }
    const answer = await store.append(documentId, null, [
      {
        id: systemRandom.uuid(),
        type: 'document.reverted',
        body: { toVersion: from.moment(index).version },
        schema: schemaVersion,
        clientTime: new Date().toISOString(),
        ...made,
      },
    ])
    if (answer.ok) return now
    toast({ text: sentence(answer.refusal) })
    return null
  }
  const guarded = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch {
      toast({ text: unreachable })
      return null
    }
  }

  const ask = (timeline: Timeline, index: number) =>
    void guarded(async () => {
      const now = await newest()
      setQuestion({ timeline, index, delta: wordDelta(pageAt(now, now.length - 1).text, pageAt(timeline, index).text) })
    })
  const confirm = async () => {
    if (!question) return
    const before = await guarded(() => revert(question.timeline, question.index))
    setQuestion(null)
    if (!before) return
    const undo = () => void guarded(() => revert(before, before.length - 1))
    toast({
      text: 'This moment is the present again.',
      action: { label: 'Undo', instead: 'Open the history and restore the moment before', onAct: undo },
    })
    onRestored()
  }
  return { question, ask, confirm, cancel: () => setQuestion(null) }
}
