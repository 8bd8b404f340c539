'use client'

import { useId } from 'react'
import { quoteWords } from '../thread/quote-words'
import { Link } from '../ui/link'
import { type Repeats } from './use-repeats'
import styles from './redact-dialog.module.css'

type Props = Pick<Repeats, 'quoting' | 'copies'> & { kept: ReadonlySet<number>; onKept: (kept: ReadonlySet<number>) => void }

const sorts = { thread: 'a comment thread', passage: 'a passage that was brought back' } as const

/** What repeats the words of an edit: quotes that go with it unless they are kept, and documents that a redaction here does not reach. */
export function RepeatedWords({ quoting, copies, kept, onKept }: Props) {
  const heading = useId()
  const toggle = (version: number, goes: boolean) => {
    const next = new Set(kept)
    if (goes) next.delete(version)
    else next.add(version)
    onKept(next)
  }
  return (
    <>
      {quoting.length > 0 && (
        <fieldset className={styles.repeats}>
          <legend>These quote the words, and go with them</legend>
          {quoting.map(({ version, quote, of }) => (
            <label key={version}>
              <input type="checkbox" checked={!kept.has(version)} onChange={(event) => toggle(version, event.target.checked)} />
              <span>
                <q>{quoteWords(quote)}</q>, in {sorts[of]}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {copies.length > 0 && (
        <section className={styles.repeats} aria-labelledby={heading}>
          <h3 id={heading}>These documents hold the words too</h3>
          <ul>
            {copies.map(({ row, kind }) => (
              <li key={row.id}>
                <Link className="link" href={`/d/${row.id}`}><bdi>{row.title || 'Untitled'}</bdi></Link>
                {kind === 'fork' ? ', a fork' : ', where they come from'}
                {row.phase === 'trashed' ? ', in the trash' : ''}
              </li>
            ))}
          </ul>
          <p>A redaction here does not reach them. Redact there too, in their history; what a fork began with goes as a whole.</p>
        </section>
      )}
    </>
  )
}
