'use client'

import { useLayoutEffect, useState } from 'react'
import { comparing, type Comparison } from '../../events/comparison/comparison'
import { type Hands } from './hands'
import { roleOf } from './node-roles'

/** Milliseconds of work before the page has its turn again. */
const slice = 12

type Asked = { source: Hands['source']; from: number; to: number }

/** The difference between two moments; null until it is found. It is sought in slices between which the page goes on. */
export function useComparison({ source, from, to }: Asked): Comparison | null {
  const [found, setFound] = useState<{ source: Hands['source']; comparison: Comparison } | null>(null)
  // What takes one slice is there before anything is painted.
  useLayoutEffect(() => {
    const work = comparing(source, { from, to, roleOf, folded: true })
    let timer: ReturnType<typeof setTimeout> | undefined
    const go = () => {
      for (const end = performance.now() + slice; performance.now() < end; ) {
        const step = work.next()
        if (step.done) return setFound({ source, comparison: step.value })
      }
      timer = setTimeout(go)
    }
    go()
    return () => clearTimeout(timer)
  }, [source, from, to])
  return found?.source === source && found.comparison.from === from && found.comparison.to === to ? found.comparison : null
}
