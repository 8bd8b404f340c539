'use client'

import { useState } from 'react'
import { type Store } from '../../../events/store'
import { useToast } from '../../ui/toast'
import { type Draft, type Wish } from './restore'
import { useTakeBack } from './use-take-back'

type Input = {
  documentId: string
  store: Pick<Store, 'read' | 'append'>
  /** Told when the present has become what was wished for. */
  onRestored: () => void
}

/** What is being asked: a wish, and what its fulfilment would do to the text of now. */
export type Question = { wish: Wish; draft: Draft }

const done: Record<Wish['kind'], string> = {
  moment: 'This moment is the present again.',
  passage: 'The passage reads as it did.',
  words: 'The passage is back as it was.',
  author: 'The changes were taken back.',
  events: 'Taken back.',
}

/** Makes something earlier the present again: shows first what would change, then appends one event on top of everything that is there. */
export function useRestore({ documentId, store, onRestored }: Input) {
  const toast = useToast()
  const [question, setQuestion] = useState<Question | null>(null)
  const [asking, setAsking] = useState(false)
  const { drafted, append, guarded, undo } = useTakeBack({ documentId, store })

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
          action: { label: 'Undo', instead: 'Open the history and restore the moment before', onAct: () => undo(version, version) },
        })
        onRestored()
      })
    },
    cancel: () => setQuestion(null),
  }
}
