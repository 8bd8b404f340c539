'use client'

import { useEffect } from 'react'
import { type Span } from '../../events/replay/pace'
import { type Timeline } from '../../events/replay/timeline'
import { compareAddress } from '../compare/use-compare'
import { addressOf } from './past-address'

type Input = {
  timeline: Timeline | null
  index: number
  range: Span | null
  /** The moment that is compared with. */
  other: number | null
  playing: boolean
  onMoment: ((address: string) => void) | undefined
}

const tellAfter = 250

/** The address of what is shown; told on whenever it has come to rest. */
export function useAddress({ timeline, index, range, other, playing, onMoment }: Input): string | null {
  const address = timeline && (other === null ? addressAt(timeline, index, range) : compareAddress(timeline, index, other))
  useEffect(() => {
    if (playing || address === null) return
    const told = setTimeout(() => onMoment?.(address), tellAfter)
    return () => clearTimeout(told)
  }, [playing, address, onMoment])
  return address
}

function addressAt(timeline: Timeline, index: number, range: Span | null): string {
  const { version, edit } = timeline.moment(index)
  return addressOf({
    at: { version, edit: timeline.ofVersion(version) === index ? null : edit },
    range: range && { from: timeline.moment(range.from).version, to: timeline.moment(range.to).version },
  })
}
