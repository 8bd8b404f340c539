'use client'

import { classNames } from '../ui/class-names'
import { CommentForm } from './comment-form'
import styles from './thread.module.css'

type Props = { quote: string; initial: string; onSubmit: (text: string) => void; onCancel: () => void }

/** A thread that is being begun. */
export function DraftNote({ quote, initial, onSubmit, onCancel }: Props) {
  return (
    <section aria-label={`New comment on “${quote}”`} className={classNames(styles.note, styles.active)}>
      <p className={styles.quote}><q>{quote}</q></p>
      <CommentForm label="Comment" submit="Comment" initial={initial} focused open onSubmit={onSubmit} onCancel={onCancel} />
    </section>
  )
}
