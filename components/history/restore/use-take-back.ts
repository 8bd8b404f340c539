'use client'

import { systemRandom } from '../../../events/clock'
import { sentence } from '../../../events/refusal'
import { type Appended, type Store } from '../../../events/store'
import { schemaVersion } from '../../editor/schema'
import { failureWords, reportUnexpected, unsureWords } from '../../failure-words'
import { useToast } from '../../ui/toast'
import { useWorkspace } from '../../workspace/workspace-context'
import { type Draft, type Wish } from './restore'

type Input = { documentId: string; store: Pick<Store, 'read' | 'append'> | null }

const kept = 'Nothing was changed'

/** Drafts and records reworks of a document; `undo` takes one's own events from one version to another back, by one more event. */
export function useTakeBack({ documentId, store }: Input) {
  const toast = useToast()
  const { me } = useWorkspace()

  const drafted = async (wish: Wish): Promise<Draft | null> => {
    if (store === null) return null
    // What the log holds now, not what the live page shows: no event may hang on what is not in the log.
    const [rows, { draftOf }] = await Promise.all([store.read(documentId, 0), import('./restore')])
    return draftOf(wish, rows, { userId: me.userId, clientId: systemRandom.clientId(), time: Date.now(), eventId: systemRandom.uuid() })
  }
  const append = async ({ type, body, update, clientIds }: Draft): Promise<number | null> => {
    if (store === null) return null
    const proposal = { id: systemRandom.uuid(), type, body, schema: schemaVersion, clientTime: new Date().toISOString(), update, clientIds }
    let answer: Appended
    try {
      answer = await store.append(documentId, null, [proposal])
    } catch (fault) {
      reportUnexpected(fault)
      toast({ text: unsureWords(fault, kept, navigator.onLine) })
      return null
    }
    if (answer.ok) return answer.rulings[0]?.version ?? null
    toast({ text: sentence(answer.refusal) })
    return null
  }
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (fault) {
      reportUnexpected(fault)
      toast({ text: failureWords(fault, kept, navigator.onLine) })
    }
  }
  const undo = (from: number, to: number) =>
    void guarded(async () => {
      const draft = await drafted({ kind: 'events', from, to, actorId: me.userId })
      if (!draft) return toast({ text: 'Nothing of it stands any more; there is nothing to take back.' })
      if ((await append(draft)) !== null) toast({ text: 'Taken back.' })
    })
  return { drafted, append, guarded, undo }
}
