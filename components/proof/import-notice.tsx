'use client'

import { FileInput } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Ruled } from '../../events/envelope'
import type { Store } from '../../events/store'
import styles from '../fork/fork.module.css'
import { Icon } from '../ui/icon'
import { Link } from '../ui/link'
import { importedWords } from './imported'

type Props = { documentId: string; store: Pick<Store, 'read'> }

/** An import is the second event of its stream, and nothing but it says so; behind it may come the steps of a history. */
const importVersion = 2

type Import = { words: string; /** The version at which all of it was here. */ complete: number }

function importIn([row, next]: readonly Ruled[]): Import | null {
  const words = row ? importedWords([{ type: row.type, body: row.body, moment: 0 }], 0) : null
  if (words === null || !row) return null
  const events = row.body !== null && typeof row.body === 'object' && !Array.isArray(row.body) ? row.body.events : 0
  const steps = next?.type === 'document.step_imported' && typeof events === 'number' ? events + 1 : 0
  return { words, complete: importVersion + steps }
}

/** Says of a document that began as an import which file it comes from and who wrote it there; nothing of any other. */
export function ImportNotice({ documentId, store }: Props) {
  const [found, setFound] = useState<Import | null>(null)
  useEffect(() => {
    let stopped = false
    store.read(documentId, importVersion - 1, 2).then(
      (rows) => !stopped && setFound(importIn(rows)),
      // Without an answer the page says nothing of where it comes from; the history goes on saying it.
      () => undefined,
    )
    return () => {
      stopped = true
    }
  }, [documentId, store])
  if (found === null) return null
  return (
    <aside className={styles.fork} aria-label="Import">
      <Icon of={FileInput} />
      <p>
        {found.words}{' '}
        <Link className="link" href={`/d/${documentId}?at=${found.complete}`}>
          As it came
        </Link>
      </p>
    </aside>
  )
}
