'use client'

import { useMemo } from 'react'
import { provenanceOf } from '../../events/lineage/carriage'
import { type PassageRange } from '../../events/insight/passage'
import { type Store } from '../../events/store'
import { pastTextId } from '../history/moment-page'
import { type PlayerView } from '../history/player-view'
import { useWorkspace } from '../workspace/workspace-context'
import { AuthorCard } from './author-card'
import { type InsightScene, titlesIn } from './insight-scene'
import { useInsight } from './insight-state'
import { InsightViews } from './insight-views'
import { PastSurface } from './past-surface'
import { useBringBack } from './use-bring-back'
import { useProvenance } from './use-provenance'

type Props = { player: PlayerView; documentId: string; store: Pick<Store, 'read' | 'append'>; mayWrite: boolean; onBring: ((range: PassageRange) => void) | null }

/** The insight beside a moment of the past: its panel, and with author colours on, a card for the passage under the pointer. */
export function PastInsight({ player, documentId, store, mayWrite, onBring }: Props) {
  const { timeline, authors, index, playing, colours, run } = player
  const { view } = useInsight()
  const { documents, people } = useWorkspace()
  const known = useProvenance({ timeline, documentId, store })
  const { busy, bring } = useBringBack({ documentId, store })
  const surface = useMemo(() => {
    const element = document.getElementById(pastTextId)
    return element && new PastSurface(element, timeline)
  }, [timeline])
  const scene = useMemo(
    (): InsightScene => ({ timeline, authors, people, provenance: known ?? provenanceOf(timeline), titleOf: titlesIn(documents.live), index, surface, onGo: (to) => run({ type: 'SEEK', index: to }), onBring }),
    [timeline, authors, people, known, documents.live, index, surface, run, onBring],
  )
  return (
    <>
      {view !== null && (
        <InsightViews
          view={view}
          scene={scene}
          tinted={colours}
          onTinted={() => run({ type: 'COLOURS' })}
          onBringBack={mayWrite ? bring : null}
          busy={busy}
        />
      )}
      {colours && !playing && <AuthorCard scene={scene} />}
    </>
  )
}
