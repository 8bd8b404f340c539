'use client'

import { useMemo } from 'react'
import { groupChangeAt, type GroupChange } from '../../../events/insight/group-change'
import { type Timeline } from '../../../events/replay/timeline'
import { type Person } from '../../presence/person'
import { Avatar } from '../../ui/avatar'
import { personClass } from '../../ui/palette'
import { dateWords, deedWords, numberWords, timeWords } from '../moment-words'
import styles from './film-strip.module.css'

type Props = {
  timeline: Timeline
  authors: readonly Person[]
  /** Where the pointer is, 0 to 1, and the moment that stands there. */
  position: number
  index: number
}

function changeWords({ wordsIn, wordsOut }: GroupChange): string | null {
  if (wordsIn === 0 && wordsOut === 0) return null
  const came = `${numberWords(wordsIn)} ${wordsIn === 1 ? 'word' : 'words'} in`
  return wordsOut === 0 ? came : `${came}, ${numberWords(wordsOut)} out`
}

/** What stands under the pointer: when, who, and what they did there in one go. */
export function FilmCard({ timeline, authors, position, index }: Props) {
  const { time, author, type } = timeline.moment(index)
  const person = authors[author]
  const group = timeline.groupBefore(index + 1)
  // One group is many pixels of the pointer's way.
  const change = useMemo(() => groupChangeAt(timeline, group), [timeline, group])
  return (
    <div className={styles.hover} style={{ left: `${position * 100}%` }} aria-hidden>
      <div className={styles.peek} style={{ translate: `${-position * 100}% 0` }}>
        <b>
          {dateWords(time, timeline.timeOf(timeline.length - 1))}, {timeWords(time)}
        </b>
        <span>
          {person && <Avatar name={person.name} color={person.color} size="mini" />}
          {person?.name.split(' ')[0] ?? 'Somebody'}, {deedWords({ type }) ?? changeWords(change) ?? `edit ${numberWords(index + 1)}`}
        </span>
        {change.excerpt.length > 0 && (
          <blockquote className={personClass(person?.color ?? 10)}>
            {change.excerpt.map(({ text, state }, at) =>
              state === 'new' ? <ins key={at}>{text}</ins> : state === 'gone' ? <del key={at}>{text}</del> : <span key={at}>{text}</span>,
            )}
          </blockquote>
        )}
      </div>
    </div>
  )
}
