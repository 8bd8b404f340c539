'use client'

import { FileInput } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Store } from '../../events/store'
import styles from '../fork/fork.module.css'
import { Icon } from '../ui/icon'
import { Link } from '../ui/link'
import { importedWords } from './imported'

type Props = { documentId: string; store: Pick<Store, 'read'> }

/** An import is the second event of its stream, and nothing but it says so. */
const importVersion = 2

/** Says of a document that began as an import which file it comes from and who wrote it there; nothing of any other. */
export function ImportNotice({ documentId, store }: Props) {
  const [words, setWords] = useState<string | null>(null)
  useEffect(() => {
    let stopped = false
    store.read(documentId, importVersion - 1, 1).then(
      (rows) => !stopped && setWords(importedWords(rows.map(({ type, body }) => ({ type, body, moment: 0 })), 0)),
      // Without an answer the page says nothing of where it comes from; the history goes on saying it.
      () => undefined,
    )
    return () => {
      stopped = true
    }
  }, [documentId, store])
  if (words === null) return null
  return (
    <aside className={styles.fork} aria-label="Import">
      <Icon of={FileInput} />
      <p>
        {words}{' '}
        <Link className="link" href={`/d/${documentId}?at=${importVersion}`}>
          As it came
        </Link>
      </p>
    </aside>
  )
}
