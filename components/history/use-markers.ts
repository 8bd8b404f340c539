'use client'

import { useMemo } from 'react'
import { type Timeline } from '../../events/timeline'
import { type Coming, type Marker, markersOf } from './film-markers'
import { momentAtTime } from './moment-input'

const none = { all: [], stops: [] } satisfies { all: Marker[]; stops: number[] }

/** What the film marks, and the moments of it. */
export function useMarkers(timeline: Timeline | null, comings: readonly Coming[]): { all: readonly Marker[]; stops: readonly number[] } {
  return useMemo(() => {
    if (!timeline) return none
    const all = markersOf(timeline, comings, (time) => momentAtTime(timeline, time))
    return { all, stops: all.map(({ moment }) => moment) }
  }, [timeline, comings])
}
