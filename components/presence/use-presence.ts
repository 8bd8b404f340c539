'use client'

import { useEffect, useState } from 'react'
import type { PresenceState } from '@/events/presence-list'
import { afterFirstThings } from '../session/first-things'

/** How awake the person at this tab is; active until the watching code has come. */
export function usePresence(): PresenceState {
  const [state, setState] = useState<PresenceState>('active')
  useEffect(() => {
    let stop = () => {}
    let left = false
    void afterFirstThings().then(() => import('./presence-signs')).then(({ watchPresence }) => {
      if (!left) stop = watchPresence(setState)
    })
    return () => {
      left = true
      stop()
    }
  }, [])
  return state
}
