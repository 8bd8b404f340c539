'use client'

import { Fragment } from 'react'
import { type Comparison } from '../../events/comparison/comparison'
import { type Timeline } from '../../events/replay/timeline'
import text from '../editor/text.module.css'
import { type Person } from '../presence/person'
import { classNames } from '../ui/class-names'
import { changedRows } from './changed-rows'
import { DiffText } from './diff-text'
import { handsOf } from './hands'
import styles from './diff.module.css'

type Props = { comparison: Comparison; timeline: Timeline; people: ReadonlyMap<string, Person> }

/** What will change, before it does: the blocks concerned and their neighbours, in a box that scrolls. */
export function DiffPreview({ comparison, timeline, people }: Props) {
  const { personAt, namesOf } = handsOf(timeline, people)
  const stretches = changedRows(comparison.rows)
  return (
    <div className={classNames(text.text, styles.diff, styles.preview)} role="region" aria-label="What will change" tabIndex={0} data-readonly>
      {stretches.map((rows, index) => (
        <Fragment key={index}>
          {index > 0 && <p className={styles.between}>…</p>}
          <DiffText rows={rows} changes={comparison.changes} personAt={personAt} authorNames={namesOf} />
        </Fragment>
      ))}
    </div>
  )
}
