'use client'

import { useMachine } from '@xstate/react'
import { History, ShieldCheck } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { readTimeline } from '../../events/history'
import { type Store } from '../../events/store'
import { replayMachine } from '../../machines/actors/replay'
import { firstName, type Person } from '../presence/person'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { Skeleton } from '../ui/skeleton'
import { Tooltip } from '../ui/tooltip'
import { MomentPage } from './moment-page'
import { dateWords, numberWords, timeWords } from './moment-words'
import { PlayerDock } from './player-dock'
import { commandOf } from './player-keys'
import { RestoreDialog } from './restore-dialog'
import { useRestore } from './use-restore'
import styles from './player.module.css'

/** What the player gives the frame: for the bar, the sheet and the dock. */
export type PlayerSlots = { bar: ReactNode; page: ReactNode; dock: ReactNode }

type Props = {
  documentId: string
  store: Pick<Store, 'read' | 'append'>
  members: readonly Person[]
  /** The version to open at; null opens at the newest moment. */
  initialAt: number | null
  /** The newest version that the log is known to hold, which grows while one looks at the past. */
  liveVersion: number
  /** Whether the law lets this reader emit `document.reverted` now. */
  mayRestore: boolean
  /** Who else is writing now. */
  writing: readonly Person[]
  /** Told the version that is shown, whenever it has come to rest. */
  onMoment?: ((version: number) => void) | undefined
  /** Opens the check of the whole history. */
  onVerify: () => void
  onBackToLive: () => void
  children: (slots: PlayerSlots) => ReactNode
}

const clock = { now: () => performance.now() }
const sayAfter = 250

function byUserId(members: readonly Person[]): Map<string, Person> {
  return new Map(members.map((person) => [person.userId, person]))
}

function samePeople(people: Map<string, Person>, members: readonly Person[]): boolean {
  const same = (person: Person) => {
    const known = people.get(person.userId)
    return known?.name === person.name && known.color === person.color
  }
  return people.size === members.length && members.every(same)
}

/** The past of a document, on the document's own page: it gives its parts to the frame that the page puts around it. */
export function Player({ documentId, store, members, initialAt, liveVersion, mayRestore, writing, onMoment, onVerify, onBackToLive, children }: Props) {
  const [snapshot, send] = useMachine(replayMachine, {
    input: {
      clock,
      version: initialAt,
      load: (signal, onProgress) => readTimeline({ source: store, documentId, signal, onProgress }),
    },
  })
  const [colours, setColours] = useState(false)
  const restore = useRestore({ documentId, store, onRestored: onBackToLive })
  const dock = useRef<HTMLDivElement>(null)
  const { timeline, index, speed, loaded } = snapshot.context
  const playing = snapshot.matches({ ready: 'playing' })
  // The list may be made anew with every rendering of the page; the text is drawn again only if somebody in it changed.
  const [people, setPeople] = useState(() => byUserId(members))
  if (!samePeople(people, members)) setPeople(byUserId(members))
  const authors = useMemo(
    () => timeline?.authors.map((userId) => people.get(userId) ?? { userId, name: 'Somebody', color: 10 }) ?? [],
    [timeline, people],
  )

  useEffect(() => {
    if (!playing) return
    let frame = requestAnimationFrame(function tick() {
      send({ type: 'TICK' })
      frame = requestAnimationFrame(tick)
    })
    return () => cancelAnimationFrame(frame)
  }, [playing, send])
  useEffect(() => {
    const pause = () => document.hidden && send({ type: 'PAUSE' })
    document.addEventListener('visibilitychange', pause)
    return () => document.removeEventListener('visibilitychange', pause)
  }, [send])
  const version = timeline?.moment(index).version ?? null
  useEffect(() => {
    if (playing || version === null) return
    const told = setTimeout(() => onMoment?.(version), sayAfter)
    return () => clearTimeout(told)
  }, [playing, version, onMoment])
  const opened = timeline !== null
  useEffect(() => {
    // Radix shows the thumb a frame after it mounts; until then it cannot take the focus.
    const frame = requestAnimationFrame(() => {
      if (opened) dock.current?.querySelector<HTMLElement>('[role=slider]')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [opened])

  const listen = (event: KeyboardEvent<HTMLElement>) => {
    if (!timeline || restore.question || !(event.target instanceof HTMLElement) || !event.currentTarget.contains(event.target)) return
    const onButton = event.target.closest('button') !== null
    if (onButton && (event.key === ' ' || event.key === 'Enter')) return
    if (event.target.closest('input, textarea, [role=combobox], [contenteditable=true]')) return
    // In the text these scroll; on the slider they move it.
    if (/^(Arrow|Page)(Up|Down)$/.test(event.key) && event.target.role !== 'slider') return
    const command = commandOf(event.nativeEvent, { playing, last: timeline.length - 1, speed })
    if (!command) return
    event.preventDefault()
    event.stopPropagation()
    if (command.type === 'COLOURS') setColours((on) => !on)
    else if (command.type === 'LEAVE') onBackToLive()
    else send(command)
  }
  const ask = () => {
    if (!timeline) return
    send({ type: 'PAUSE' })
    restore.ask(timeline, index)
  }

  const fresh = timeline ? Math.max(0, liveVersion - timeline.version) : 0
  const moment = timeline?.moment(index)
  const date = timeline && moment ? dateWords(moment.time, timeline.timeOf(timeline.length - 1)) : null
  const bar = (
    <>
      <div className={styles.date} role="status">
        <Icon of={History} size={14} />
        {date ? (
          <span>
            <span className={styles.asItRead}>As it read on </span>
            {date}
          </span>
        ) : (
          <span>The past</span>
        )}
      </div>
      <div className={styles.grow} />
      <Tooltip text="Verify history">
        <Button look="quiet" icon aria-label="Verify history" onClick={onVerify}>
          <Icon of={ShieldCheck} />
        </Button>
      </Tooltip>
      <Button look="primary" onClick={onBackToLive}>
        Back to live {fresh > 0 && <span className={styles.fresh}>({numberWords(fresh)} new)</span>}
      </Button>
    </>
  )
  const failed = snapshot.matches('failed')
  const page = timeline ? (
    <MomentPage timeline={timeline} people={people} index={index} tinting={colours ? 'all' : 'session'} moving={playing} speed={speed} />
  ) : (
    <section className={styles.page} aria-label="Document at this moment">
      {failed ? <Failure onRetry={() => send({ type: 'RETRY' })} /> : <Skeleton lines={6} label="Opening the history" />}
    </section>
  )
  const docked = timeline ? (
    <div ref={dock}>
      <PlayerDock
        timeline={timeline}
        people={authors}
        index={index}
        playing={playing}
        speed={speed}
        colours={colours}
        send={send}
        onColours={() => setColours((on) => !on)}
        onRestore={mayRestore ? ask : undefined}
      />
    </div>
  ) : (
    <section className={styles.dock} aria-label="Player">
      <p className={styles.loading}>{failed ? 'The history is not open.' : `Opening the history… ${loaded > 0 ? `version ${numberWords(loaded)}` : ''}`}</p>
    </section>
  )
  return (
    <div className={styles.player} onKeyDownCapture={listen}>
      {children({ bar, page, dock: docked })}
      {restore.question && moment && (
        <RestoreDialog
          moment={`${date}, ${timeWords(moment.time)}`}
          delta={restore.question.delta}
          writing={writing.map(firstName)}
          onConfirm={restore.confirm}
          onClose={restore.cancel}
        />
      )}
    </div>
  )
}

function Failure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.failure} role="alert">
      <p>The history could not be read. The document itself is not affected.</p>
      <Button look="edge" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
