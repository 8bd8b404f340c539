'use client'

import * as Slider from '@radix-ui/react-slider'
import { RotateCcw, Trash2, Type, type LucideIcon } from 'lucide-react'
import { memo, useMemo, useState, type PointerEvent } from 'react'
import { type Timeline } from '../../events/timeline'
import { ComparedSpan } from '../compare/compared-span'
import { Avatar } from '../ui/avatar'
import { classNames } from '../ui/class-names'
import { Icon } from '../ui/icon'
import { personClass } from '../ui/palette'
import { filmOf, momentAtPosition, positionOf, type Film } from './film'
import { type Person } from '../presence/person'
import { axisWords, dateWords, deedWords, momentWords, numberWords, pauseWords, timeWords } from './moment-words'
import { type PlayerView } from './player-view'
import styles from './film-strip.module.css'

/** What a screen reader is told while it plays: a new moment about once a second, not sixty times. */
function spokenMoment({ course, index, playing, speed }: PlayerView): number {
  const second = 1000 * speed
  return playing ? course.momentAt(Math.floor(course.playedAt(index) / second) * second) : index
}

const steps = 100_000
const drawings: Record<string, LucideIcon> = { 'document.renamed': Type, 'document.reverted': RotateCcw, 'document.trashed': Trash2 }
const percent = (fraction: number) => `${fraction * 100}%`

function barsPath(bars: { x: number; height: number }[], width: number): string {
  return bars.map(({ x, height }) => `M${x * 1000} 20v${(-20 * height).toFixed(1)}h${width.toFixed(2)}v${(20 * height).toFixed(1)}z`).join('')
}

const Lanes = memo(function Lanes({ film, people }: { film: Film; people: readonly Person[] }) {
  return film.reels.map((reel, session) => (
    <div key={reel.from} className={styles.session} style={{ left: percent(reel.left), width: percent(reel.right - reel.left) }}>
      {film.lanes[session]?.map(({ author, bars }) => (
        <svg key={author} className={classNames(styles.lane, personClass(people[author]?.color ?? 10))} viewBox="0 0 1000 20" preserveAspectRatio="none">
          <path d={barsPath(bars, (700 * film.barWidth) / Math.max(film.barWidth, reel.right - reel.left))} />
        </svg>
      ))}
    </div>
  ))
})

const Axis = memo(function Axis({ film, timeline }: { film: Film; timeline: Timeline }) {
  return (
    <>
      {film.reels.map((reel, session) => {
        const before = film.reels[session - 1]
        const { day, time } = axisWords(reel.begins)
        return (
          <div key={reel.from}>
            {before && (
              <span className={styles.break} style={{ left: percent(before.right), width: percent(reel.left - before.right) }}>
                <span>{pauseWords(reel.pauseBefore)}</span>
              </span>
            )}
            {(reel.right - reel.left > 0.07 || session === 0) && (
              <time className={styles.tick} style={{ left: percent(reel.left) }}>
                {day}
                <span>, {time}</span>
              </time>
            )}
          </div>
        )
      })}
      {timeline.marks.map(({ type, moment, version }) => {
        const drawing = drawings[type]
        return (
          drawing && (
            <span key={version} className={styles.mark} style={{ left: percent(positionOf(film, timeline.pace, moment)) }}>
              <Icon of={drawing} size={14} />
            </span>
          )
        )
      })}
    </>
  )
})

/** The film of a history: a lane for each author, the sessions and the pauses between them, under one slider. */
export function FilmStrip(view: PlayerView) {
  const { timeline, authors: people, index, other, run } = view
  const said = spokenMoment(view)
  const film = useMemo(() => filmOf(timeline), [timeline])
  const [hovered, setHovered] = useState<number | null>(null)
  const position = positionOf(film, timeline.pace, index)
  const moment = timeline.moment(said)
  const name = people[moment.author]?.name ?? 'Somebody'
  const momentAt = (value: number) => momentAtPosition(film, timeline.pace, value / steps)
  const hover = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerType !== 'mouse') return
    const box = event.currentTarget.getBoundingClientRect()
    setHovered(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)))
  }
  return (
    <div className={styles.film}>
      <ul className={styles.names} aria-label="Lanes">
        {people.map((person) => (
          <li key={person.userId}>
            <Avatar name={person.name} color={person.color} size="mini" />
            <span>{person.name.split(' ')[0]}</span>
          </li>
        ))}
      </ul>
      <Slider.Root
        className={styles.track}
        min={0}
        max={steps}
        value={[Math.round(position * steps)]}
        onValueChange={([value = 0]) => run({ type: 'SCRUB', index: momentAt(value) })}
        onValueCommit={() => run({ type: 'SCRUBBED' })}
        onPointerMove={hover}
        onPointerLeave={() => setHovered(null)}
      >
        <div className={styles.ahead} aria-hidden>
          <Lanes film={film} people={people} />
        </div>
        <div className={styles.done} style={{ clipPath: `inset(-4px ${100 - position * 100}% -4px 0)` }} aria-hidden>
          <Lanes film={film} people={people} />
        </div>
        <div className={styles.axis} aria-hidden>
          <Axis film={film} timeline={timeline} />
        </div>
        {other !== null && <ComparedSpan at={positionOf(film, timeline.pace, other)} head={position} />}
        <Slider.Thumb
          className={styles.head}
          aria-label="Moment"
          aria-valuemin={1}
          aria-valuemax={timeline.length}
          aria-valuenow={said + 1}
          aria-valuetext={momentWords(timeline, moment, name)}
        />
        {hovered !== null && <Peek timeline={timeline} people={people} position={hovered} index={momentAt(hovered * steps)} />}
      </Slider.Root>
    </div>
  )
}

function Peek({ timeline, people, position, index }: { timeline: Timeline; people: readonly Person[]; position: number; index: number }) {
  const moment = timeline.moment(index)
  const person = people[moment.author]
  return (
    <div className={styles.hover} style={{ left: percent(position) }} aria-hidden>
      <div className={styles.peek} style={{ translate: `${-position * 100}% 0` }}>
        <b>
          {dateWords(moment.time, timeline.timeOf(timeline.length - 1))}, {timeWords(moment.time)}
        </b>
        <span>
          {person && <Avatar name={person.name} color={person.color} size="mini" />}
          {person?.name ?? 'Somebody'}, {deedWords(moment) ?? `edit ${numberWords(index + 1)}`}
        </span>
      </div>
    </div>
  )
}
