'use client'

import { Bookmark, Columns2, RotateCcw } from 'lucide-react'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { type PlayerView } from './player-view'
import styles from './dock.module.css'

export type DockActionsProps = {
  view: PlayerView
  /** Absent where the reader may not write. */
  onRestore?: (() => void) | undefined
}

/** What can be done with the moment that is shown. A button with `aria-keyshortcuts` of one letter is pressed by that key, too. */
export function DockActions({ view: { other, run }, onRestore }: DockActionsProps) {
  return (
    <>
      <Button look="quiet" className={styles.compare} aria-label="Compare" aria-pressed={other !== null} onClick={() => run({ type: 'COMPARE' })}>
        <Icon of={Columns2} />
        <span>Compare</span>
      </Button>
      <Button look="quiet" className={styles.compare} aria-label={onRestore ? 'Name this version' : 'Versions'} onClick={() => run({ type: 'VERSIONS' })}>
        <Icon of={Bookmark} />
        <span>{onRestore ? 'Name this version' : 'Versions'}</span>
      </Button>
      {onRestore && (
      <Button look="edge" className={styles.restore} aria-label="Restore this moment" onClick={onRestore}>
        <Icon of={RotateCcw} />
        <span>
          Restore<span className={styles.tail}> this moment</span>
        </span>
      </Button>
      )}
    </>
  )
}
