'use client'

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useGo } from '../frame/going'
import { BrandMark } from '../ui/brand-mark'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { Link } from '../ui/link'
import { CreateWorkspace } from './create-workspace'
import styles from './workspace-chooser.module.css'

/** The reader's workspaces, for who has none or several. */
export function WorkspaceChooser({ workspaces }: { workspaces: readonly { id: string; name: string }[] }) {
  const go = useGo()
  const [creating, setCreating] = useState(false)
  return (
    <main className={styles.page} id="main">
      <p className={styles.mark}>
        <BrandMark size={22} />
        Palimpsest
      </p>
      <h1>Your workspaces</h1>
      {workspaces.length > 0 ? (
        <ul aria-label="Workspaces">
          {workspaces.map(({ id, name }) => (
            <li key={id}>
              <Link href={`/w/${id}`}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className={styles.lead}>You belong to no workspace yet. Create one, or open an invitation that somebody sent you.</p>
      )}
      <Button look={workspaces.length > 0 ? 'edge' : 'primary'} onClick={() => setCreating(true)}>
        <Icon of={Plus} />
        Create a workspace
      </Button>
      <CreateWorkspace open={creating} onOpenChange={setCreating} onCreated={(id) => go(`/w/${id}`)} />
    </main>
  )
}
