'use client'

import { Palette } from 'lucide-react'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { Tooltip } from '../ui/tooltip'
import { DockActions, type DockActionsProps } from './dock-actions'
import { FilmStrip } from './film-strip'
import { GapChip } from './gap-chip'
import { dateWords, numberWords, timeWords } from './moment-words'
import { PaceChoices } from './pace-choices'
import { Transport } from './transport'
import styles from './dock.module.css'

/** The dock: the film, and what plays it. */
export function PlayerDock({ view, onRestore }: DockActionsProps) {
  const { timeline, authors, index, colours, run } = view
  const moment = timeline.moment(index)
  const name = authors[moment.author]?.name.split(' ')[0] ?? 'Somebody'
  const date = dateWords(moment.time, timeline.timeOf(timeline.length - 1))
  const count = `${numberWords(index + 1)} of ${numberWords(timeline.length)}`
  return (
    <section className={styles.dock} aria-label="Player">
      <div className={styles.nowline}>
        <span>
          <b>{timeWords(moment.time)}</b> {date}, {name}
        </span>
        <GapChip {...view} />
        <span>{count}</span>
      </div>
      <FilmStrip {...view} />
      <div className={styles.keys} role="toolbar" aria-label="Playback">
        <Transport {...view} />
        <div className={styles.now}>
          <b>{timeWords(moment.time)}</b> {name}, edit {count}
        </div>
        <div className={styles.gap}>
          <GapChip {...view} />
        </div>
        <div className={styles.grow} />
        <PaceChoices {...view} />
        <Tooltip text="Author colours" detail="A" side="top">
          <Button look="quiet" icon className={styles.colours} aria-label="Author colours" aria-pressed={colours} onClick={() => run({ type: 'COLOURS' })}>
            <Icon of={Palette} />
          </Button>
        </Tooltip>
        <DockActions view={view} onRestore={onRestore} />
      </div>
    </section>
  )
}
