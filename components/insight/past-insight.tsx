'use client'

import { useMemo } from 'react'
import { type Store } from '../../events/store'
import { pastTextId } from '../history/moment-page'
import { type PlayerView } from '../history/player-view'
import { AuthorCard } from './author-card'
import { type InsightScene } from './insight-scene'
import { useInsight } from './insight-state'
import { InsightViews } from './insight-views'
import { PastSurface } from './past-surface'
import { useBringBack } from './use-bring-back'

type Props = { player: PlayerView; documentId: string; store: Pick<Store, 'read' | 'append'>; mayWrite: boolean }

/** The insight beside a moment of the past: its panel, and with author colours on, a card for the passage under the pointer. */
export function PastInsight({ player, documentId, store, mayWrite }: Props) {
  const { timeline, authors, index, playing, colours, run } = player
  const { view } = useInsight()
  const { busy, bring } = useBringBack({ documentId, store })
  const surface = useMemo(() => {
    const element = document.getElementById(pastTextId)
    return element && new PastSurface(element, timeline)
  }, [timeline])
  const scene = useMemo(
    (): InsightScene => ({ timeline, authors, index, surface, onGo: (to) => run({ type: 'SEEK', index: to }) }),
    [timeline, authors, index, surface, run],
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
