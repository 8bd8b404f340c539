'use client'

import { Palette, Pause, Play, RotateCcw, SkipBack, SkipForward, StepBack, StepForward } from 'lucide-react'
import { type Timeline } from '../../events/timeline'
import { speeds, type ReplayEvent, type Speed } from '../../machines/actors/replay'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { Select } from '../ui/select'
import { Tooltip } from '../ui/tooltip'
import { FilmStrip } from './film-strip'
import { type Person } from './moment-view'
import { dateWords, numberWords, timeWords } from './moment-words'
import styles from './player.module.css'

type Props = {
  timeline: Timeline
  people: readonly Person[]
  index: number
  playing: boolean
  speed: Speed
  colours: boolean
  send: (event: ReplayEvent) => void
  onColours: () => void
  /** Absent where the reader may not write. */
  onRestore?: (() => void) | undefined
}

type Step = `${Speed}`
const speedOptions = speeds.map((speed) => ({ value: `${speed}` satisfies Step, label: `${speed}×` }))

/** What a screen reader is told while it plays: a new moment about once a second, not sixty times. */
function spokenMoment({ pace }: Timeline, index: number, speed: Speed): number {
  const second = 1000 * speed
  return pace.momentAt(Math.floor(pace.playedAt(index) / second) * second)
}

/** The dock: the film, and what plays it. */
export function PlayerDock({ timeline, people, index, playing, speed, colours, send, onColours, onRestore }: Props) {
  const moment = timeline.moment(index)
  const name = people[moment.author]?.name.split(' ')[0] ?? 'Somebody'
  const date = dateWords(moment.time, timeline.timeOf(timeline.length - 1))
  const count = `${numberWords(index + 1)} of ${numberWords(timeline.length)}`
  const last = timeline.length - 1
  const sessions = timeline.pace.sessions.length
  return (
    <section className={styles.dock} aria-label="Player">
      <div className={styles.nowline}>
        <span>
          <b>{timeWords(moment.time)}</b> {date}, {name}
        </span>
        <span>{count}</span>
      </div>
      <FilmStrip
        timeline={timeline}
        people={people}
        index={index}
        said={playing ? spokenMoment(timeline, index, speed) : index}
        onScrub={(to) => send({ type: 'SCRUB', index: to })}
        onScrubbed={() => send({ type: 'SCRUBBED' })}
      />
      <div className={styles.keys} role="toolbar" aria-label="Playback">
        {sessions > 1 && <Step label="Previous session" hint="[" icon={SkipBack} ends off={index === 0} onStep={() => send({ type: 'SESSION', by: -1 })} />}
        <Step label="Previous edit" hint="," icon={StepBack} off={index === 0} onStep={() => send({ type: 'STEP', by: -1 })} />
        <Tooltip text={playing ? 'Pause' : 'Play'} detail="Space" side="top">
          <Button look="primary" className={styles.play} aria-label={playing ? 'Pause' : 'Play'} onClick={() => send({ type: 'TOGGLE' })}>
            <Icon of={playing ? Pause : Play} />
          </Button>
        </Tooltip>
        <Step label="Next edit" hint="." icon={StepForward} off={index === last} onStep={() => send({ type: 'STEP', by: 1 })} />
        {sessions > 1 && <Step label="Next session" hint="]" icon={SkipForward} ends off={index === last} onStep={() => send({ type: 'SESSION', by: 1 })} />}
        <div className={styles.now}>
          <b>{timeWords(moment.time)}</b> {name}, edit {count}
        </div>
        <div className={styles.grow} />
        <div className={styles.speed}>
          <Select<Step>
            label="Speed"
            value={`${speed}`}
            options={speedOptions}
            onChange={(value) => send({ type: 'SPEED', speed: speeds.find((each) => `${each}` === value) ?? 1 })}
          />
        </div>
        <Tooltip text="Author colours" detail="A" side="top">
          <Button look="quiet" icon className={styles.colours} aria-label="Author colours" aria-pressed={colours} onClick={onColours}>
            <Icon of={Palette} />
          </Button>
        </Tooltip>
        {onRestore && (
          <Button look="edge" className={styles.restore} aria-label="Restore this moment" onClick={onRestore}>
            <Icon of={RotateCcw} />
            <span>
              Restore<span className={styles.tail}> this moment</span>
            </span>
          </Button>
        )}
      </div>
    </section>
  )
}

type StepProps = { label: string; hint: string; icon: typeof SkipBack; off: boolean; ends?: boolean; onStep: () => void }

function Step({ label, hint, icon, off, ends = false, onStep }: StepProps) {
  return (
    <Tooltip text={label} detail={hint} side="top">
      <Button look="quiet" icon className={ends ? styles.ends : undefined} aria-label={label} aria-disabled={off} onClick={onStep}>
        <Icon of={icon} />
      </Button>
    </Tooltip>
  )
}
