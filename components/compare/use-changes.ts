'use client'

import { useEffect, useState, type RefObject } from 'react'

/** Which change one stands at, and the way to the next and to the one before; round at the ends. */
export function useChanges(text: RefObject<HTMLElement | null>, count: number, layout: string) {
  const [current, setCurrent] = useState<number | null>(null)
  const [counted, setCounted] = useState({ count, layout })
  if (counted.count !== count || counted.layout !== layout) {
    setCounted({ count, layout })
    if (counted.count !== count) setCurrent(null)
  }
  useEffect(() => {
    const root = text.current
    if (!root) return
    const marked = current === null ? [] : [...root.querySelectorAll<HTMLElement>(`[data-change="${current}"]`)]
    for (const element of marked) element.dataset.current = ''
    return () => {
      for (const element of marked) delete element.dataset.current
    }
  }, [text, current, layout, count])
  const go = (change: number) => {
    setCurrent(change)
    const [place] = text.current?.querySelectorAll<HTMLElement>(`[data-change="${change}"]`) ?? []
    place?.scrollIntoView({ block: 'center' })
  }
  const step = (by: -1 | 1) => {
    if (count > 0) go(current === null ? (by > 0 ? 0 : count - 1) : (current + by + count) % count)
  }
  return { current, go, step }
}
