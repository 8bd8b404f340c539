'use client'

import { useEffect, useState, type RefObject } from 'react'
import { type Change } from '../../events/comparison/comparison'
import { classNames } from '../ui/class-names'
import { personClass } from '../ui/palette'
import { type PersonAt } from './diff-text'
import styles from './compare.module.css'

type Props = {
  text: RefObject<HTMLElement | null>
  changes: readonly Change[]
  personAt: PersonAt
  /** Makes the places be measured again. */
  layout: string
  current: number | null
  onGo: (change: number) => void
}

/** What the comparison's own head takes of the page. */
const headRoom = 130

type Places = { height: number; tops: Map<number, number> }

/** Where, from 0 to 1, each change stands in the text, and how much of the page is seen at once. */
function measured(text: HTMLElement): Places {
  const box = text.getBoundingClientRect()
  const tops = new Map<number, number>()
  for (const element of text.querySelectorAll<HTMLElement>('[data-change]')) {
    const change = Number(element.dataset.change)
    if (!tops.has(change)) tops.set(change, (element.getBoundingClientRect().top - box.top) / Math.max(1, box.height))
  }
  return { height: text.closest('main')?.clientHeight ?? 0, tops }
}

/** Where in the document it changed: a tick for each change down the right edge. The keyboard has the buttons for it. */
export function ChangeMinimap({ text, changes, personAt, layout, current, onGo }: Props) {
  const [{ height, tops }, setPlaces] = useState<Places>({ height: 0, tops: new Map() })
  useEffect(() => {
    const element = text.current
    if (!element) return
    const watch = new ResizeObserver(() => setPlaces(measured(element)))
    watch.observe(element)
    const page = element.closest('main')
    if (page) watch.observe(page)
    return () => watch.disconnect()
  }, [text, changes, layout])
  return (
    <div className={styles.map} aria-hidden="true">
      <div style={{ blockSize: `${Math.max(0, height - headRoom)}px` }}>
      {changes.map(({ index, moment }) => {
        const top = tops.get(index)
        return (
          top !== undefined && (
            <i
              key={index}
              className={classNames(personClass(personAt(moment).color), index === current && styles.here)}
              style={{ insetBlockStart: `${top * 100}%` }}
              onClick={() => onGo(index)}
            />
          )
        )
      })}
      </div>
    </div>
  )
}
