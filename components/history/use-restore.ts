'use client'

import { useState } from 'react'
import { systemRandom } from '../../events/clock'
import { sentence } from '../../events/refusal'
import { type Store } from '../../events/store'
import { schemaVersion } from '../editor/schema'
import { useToast } from '../ui/toast'
import { useWorkspace } from '../workspace/workspace-context'
import { type Draft, type Wish } from './restore'

type Input = {
  documentId: string
  store: Pick<Store, 'read' | 'append'>
  /** Told when the present has become what was wished for. */
  onRestored: () => void
}

/** What is being asked: a wish, and what its fulfilment would do to the text of now. */
export type Question = { wish: Wish; draft: Draft }

const unreachable = 'The server could not be reached. Nothing was changed; try again when you are back online.'

const done: Record<Wish['kind'], string> = {
  moment: 'This moment is the present again.',
  passage: 'The passage reads as it did.',
  words: 'The passage is back as it was.',
  author: 'The changes were taken back.',
  event: 'Taken back.',
}

/** Makes something earlier the present again: shows first what would change, then appends one event on top of everything that is there. */
export function useRestore({ documentId, store, onRestored }: Input) {
  const toast = useToast()
  const { me } = useWorkspace()
  const [question, setQuestion] = useState<Question | null>(null)
  const [asking, setAsking] = useState(false)

  const drafted = async (wish: Wish): Promise<Draft | null> => {
    // What the log holds now, not what the live page shows: no event may hang on what is not in the log.
    const [rows, { draftOf }] = await Promise.all([store.read(documentId, 0), import('./restore')])
    return draftOf(wish, rows, { userId: me.userId, clientId: systemRandom.clientId(), time: Date.now(), eventId: systemRandom.uuid() })
  }
  const append = async ({ type, body, update, clientIds }: Draft): Promise<number | null> => {
    const proposal = { id: systemRandom.uuid(), type, body, schema: schemaVersion, clientTime: new Date().toISOString(), update, clientIds }
    const answer = await store.append(documentId, null, [proposal])
    if (answer.ok) return answer.rulings[0]?.version ?? null
    toast({ text: sentence(answer.refusal) })
    return null
  }
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch {
      toast({ text: unreachable })
    }
  }
  const undo = (version: number) =>
    void guarded(async () => {
      const draft = await drafted({ kind: 'event', version, actorId: me.userId })
      if (!draft) return toast({ text: 'Nothing of it stands any more; there is nothing to take back.' })
      if ((await append(draft)) !== null) toast({ text: done.event })
    })

  return {
    question,
    asking,
    ask: (wish: Wish) => {
      setAsking(true)
      void guarded(async () => {
        const draft = await drafted(wish)
        if (draft) setQuestion({ wish, draft })
        else toast({ text: `${wish.kind === 'words' ? 'This passage' : 'The document'} reads like this already. Nothing was changed.` })
      }).finally(() => setAsking(false))
    },
    confirm: async () => {
      if (!question) return
      await guarded(async () => {
        const version = await append(question.draft)
        setQuestion(null)
        if (version === null) return
        toast({
          text: done[question.wish.kind],
          action: { label: 'Undo', instead: 'Open the history and restore the moment before', onAct: () => undo(version) },
        })
        onRestored()
      })
    },
    cancel: () => setQuestion(null),
  }
}
