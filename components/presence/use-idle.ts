'use client'

import { useEffect, useState } from 'react'

const after = 60_000
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'visibilitychange'] as const

/** Whether nobody has touched this tab for a minute. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let last = 0
    const seen = () => {
      const now = Date.now()
      // Pointer moves come by the hundred; once a second is enough to know.
      if (now - last < 1_000) return
      last = now
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), after)
      setIdle(false)
    }
    seen()
    for (const sign of signs) addEventListener(sign, seen, { passive: true, capture: true })
    return () => {
      clearTimeout(timer)
      for (const sign of signs) removeEventListener(sign, seen, { capture: true })
    }
  }, [])
  return idle
}
