'use client'

import { GitFork } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../compare/change-words'
import { onDemand } from '../on-demand'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { Link } from '../ui/link'
import { useWorkspace } from '../workspace/workspace-context'
import styles from './fork.module.css'

const MergeDialog = onDemand(() => import('./merge-dialog').then((module) => module.MergeDialog))

type Props = { id: string; title: string; parent: string; version: number; mayWrite: boolean }

/** Says of a fork where it comes from and what its parent did since, and brings the two together. */
export function ForkNotice({ id, title, parent, version, mayWrite }: Props) {
  const { documents, mayDocument } = useWorkspace()
  const [merging, setMerging] = useState<'back' | 'here' | null>(null)
  const row = documents.live.find((one) => one.id === parent)
  const sides = [{ id, title }, { id: parent, title: row?.title || 'the other document' }] as const
  const since = Math.max(0, (row?.version ?? version) - version)
  const mayMergeBack = row !== undefined && mayDocument('document.merged', row)
  return (
    <aside className={styles.fork} aria-label="Fork">
      <Icon of={GitFork} />
      <p>
        Forked from <Link className="link" href={`/d/${parent}?at=${version}`}><bdi>{row?.title || 'a document that you cannot see here'}</bdi></Link>.{' '}
        {row && since > 0 && (
          <>
            <Link className="link" href={`/d/${parent}?compare=${version}&with=now`}>{counted(since, 'edit')} there since</Link>.
          </>
        )}
        {row && since === 0 && 'Nothing was written there since.'}
      </p>
      {row && (
        <span className={styles.acts}>
          {mayWrite && since > 0 && <Button look="edge" onClick={() => setMerging('here')}>Bring it in…</Button>}
          {mayMergeBack && <Button look="edge" onClick={() => setMerging('back')}>Merge back…</Button>}
        </span>
      )}
      {merging && (
        <MergeDialog
          from={merging === 'back' ? sides[0] : sides[1]}
          into={merging === 'back' ? sides[1] : sides[0]}
          onMerged={() => setMerging(null)}
          onClose={() => setMerging(null)}
        />
      )}
    </aside>
  )
}
