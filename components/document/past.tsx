'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import type { LiveDocument } from '@/machines/actors/live-document'
import { Frame } from '../frame/frame'
import type { TreeProps } from '../frame/tree'
import { Player } from '../history/player'
import type { Person } from '../presence/person'
import { useBackend } from '../session/backend-provider'

type Props = {
  place: TreeProps
  documentId: string
  /** The version the address asks for. */
  at: number
  /** The version the page was rendered at. */
  known: number
  live: LiveDocument | null
  people: ReadonlyMap<string, Person>
  writing: readonly Person[]
  mayRestore: boolean
  onVerify: () => void
}

/** The same page in the past: the player in the document's own frame. The address says which moment is shown. */
export function Past({ place, documentId, at, known, live, people, writing, mayRestore, onVerify }: Props) {
  const backend = useBackend()
  const [first] = useState(at)
  const [newest, setNewest] = useState(Math.max(known, live?.version ?? 0))
  useEffect(() => live?.onRows((rows) => setNewest((before) => Math.max(before, rows.at(-1)?.version ?? 0))), [live])
  const leaving = useRef(false)
  // The page follows the address a moment later; a moment told in between must not write the past back into it.
  const show = useCallback((version: number) => {
    if (!leaving.current) history.replaceState(null, '', `?at=${version}`)
  }, [])
  const leave = useCallback(() => {
    leaving.current = true
    history.pushState(null, '', location.pathname)
  }, [])
  if (backend === null) return null
  return (
    <Player
      documentId={documentId}
      store={backend.store}
      members={[...people.values()]}
      initialAt={first}
      liveVersion={newest}
      mayRestore={mayRestore}
      writing={writing}
      onMoment={show}
      onVerify={onVerify}
      onBackToLive={leave}
    >
      {({ bar, page, dock }) => (
        <Frame {...place} bar={bar} dock={dock}>
          {page}
        </Frame>
      )}
    </Player>
  )
}
