'use client'

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { passageOf, type Passage } from '../../events/insight/attribution'
import { type Timeline } from '../../events/replay/timeline'
import { Avatar } from '../ui/avatar'
import { Button } from '../ui/button'
import { basisWords, passageDeed, passageWriter } from './carried-words'
import { type InsightScene } from './insight-scene'
import { spanWords } from './insight-words'
import { SourceLink } from './source-link'
import styles from './insight.module.css'

type Pointed = { passage: Passage; x: number; y: number }

const dwell = 220
const gap = 10

/** Follows the pointer over the text: the passage that it has rested on, until it leaves text and card. */
function usePointed({ timeline, index, surface, provenance }: InsightScene): [Pointed | null, () => void] {
  const [pointed, setPointed] = useState<Pointed | null>(null)
  useEffect(() => {
    if (!surface) return
    let rest: ReturnType<typeof setTimeout> | undefined
    const look = ({ clientX, clientY, target }: PointerEvent) => {
      clearTimeout(rest)
      if (target instanceof Element && target.closest('[data-card]')) return
      const inText = target instanceof Node && surface.element.contains(target)
      rest = setTimeout(() => {
        const place = inText ? surface.placeAt(clientX, clientY) : null
        const passage = place && passageOf(timeline, place, index, provenance)
        setPointed(passage ? { passage, x: clientX, y: clientY } : null)
      }, dwell)
    }
    document.addEventListener('pointermove', look, { passive: true })
    document.addEventListener('pointerdown', look, { passive: true })
    return () => {
      clearTimeout(rest)
      document.removeEventListener('pointermove', look)
      document.removeEventListener('pointerdown', look)
    }
  }, [surface, timeline, index, provenance])
  return [pointed, () => setPointed(null)]
}

/** The card beside the pointer: who wrote the passage under it, when, typed or at once, and the way to that moment. */
export function AuthorCard({ scene }: { scene: InsightScene }) {
  const [pointed, dismiss] = usePointed(scene)
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = card.current
    if (!element || !pointed) return
    const { offsetWidth: width, offsetHeight: height } = element
    const left = Math.max(8, Math.min(pointed.x - 20, innerWidth - width - 8))
    const below = pointed.y + gap + 8
    const top = below + height > innerHeight - 8 ? pointed.y - height - gap : below
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`
  }, [pointed])
  useEffect(() => {
    if (!pointed) return
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && dismiss()
    document.addEventListener('keydown', leave)
    return () => document.removeEventListener('keydown', leave)
  })
  if (!pointed) return null
  return (
    <div ref={card} className={styles.card} data-card role="tooltip">
      <PassageFacts scene={scene} passage={pointed.passage} />
      <div className={styles.actions}>
        <Button
          look="edge"
          onClick={() => {
            dismiss()
            scene.onGo(pointed.passage.last)
          }}
        >
          Go to this moment
        </Button>
        {pointed.passage.carried && <SourceLink scene={scene} carriage={pointed.passage.carried.carriage} />}
      </div>
    </div>
  )
}

/** Who, when, and how a passage came into the text. */
export function PassageFacts({ scene, passage }: { scene: InsightScene; passage: Passage }) {
  const { carried } = passage
  const person = passageWriter(scene, passage)
  return (
    <>
      <span>
        <Avatar name={person.name} color={person.color} size="mini" />
        <b>{person.name}</b>
      </span>
      <p>
        {whenWords(scene.timeline, passage)}, {passageDeed(scene, passage)}
      </p>
      {carried && <p>{basisWords(carried)}</p>}
    </>
  )
}

function whenWords(timeline: Timeline, { first, last }: Passage): string {
  return spanWords(timeline.timeOf(first), timeline.timeOf(last), timeline.timeOf(timeline.length - 1))
}
