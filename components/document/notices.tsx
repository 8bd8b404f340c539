'use client'

import { ArchiveRestore, CloudOff, Copy, Eye, LockKeyhole, RefreshCw, RotateCcw, Trash2, TriangleAlert } from 'lucide-react'
import type { LiveDocument } from '@/machines/actors/live-document'
import type { SyncStatus } from '@/machines/actors/sync-status'
import { copyText } from '../clipboard'
import type { Unreadable } from '../editor/content-guard'
import { Banner } from '../ui/banner'
import { Button } from '../ui/button'
import { classNames } from '../ui/class-names'
import { Icon } from '../ui/icon'
import styles from './document.module.css'

type Props = {
  /** What the reader may do, and whether that was more when the page was opened. */
  access: 'write' | 'read' | 'none'
  lowered: boolean
  /** Whether who may not write may still comment. */
  comments: boolean
  trashed: boolean
  unreadable: Unreadable | null
  status: SyncStatus | null
  live: LiveDocument | null
  onRestore: (() => void) | null
  /** What came of copying what is not saved. */
  onCopied: (done: boolean) => void
}

const unreadableWords: Record<Unreadable, string> = {
  newer: 'This document uses a newer block type. Reload to edit it. Until then it’s read-only, nothing is lost.',
  malformed:
    'Part of this document is in a form that can’t be edited. It’s read-only, nothing is lost; in History you can restore an earlier moment.',
}

function readWords(lowered: boolean, comments: boolean): string {
  const may = comments ? 'You can read this document and comment on it' : 'You can read this document'
  if (lowered) return `${may} but no longer edit it.`
  return `${may} but not edit it. Ask an owner of the workspace if you need to.`
}

/** What the reader has to know about the document: why it cannot be written, what is not saved, and what can be done. */
export function Notices({ access, lowered, comments, trashed, unreadable, status, live, onRestore, onCopied }: Props) {
  const copy = () => {
    void copyText(live?.unsavedText() ?? '').then((done) => {
      if (done) live?.forgetStranded()
      onCopied(done)
    })
  }
  const unsaved = status?.action === 'copy' || status?.action === 'retry'
  const offline = status?.label === 'Offline' && access !== 'none'
  return (
    <div className={classNames(styles.notices, unsaved && styles.urgent)}>
      {access === 'none' && (
        <Banner second tone="warn" icon={LockKeyhole}>You no longer have access to this document. What you saved is kept in it; nothing more reaches this page.</Banner>
      )}
      {access === 'read' && !trashed && (
        <Banner second icon={Eye}>
          {readWords(lowered, comments)}
        </Banner>
      )}
      {trashed && access !== 'none' && (
        <Banner
          second
          icon={Trash2}
          actions={
            onRestore !== null && (
              <Button look="edge" onClick={onRestore}>
                <Icon of={ArchiveRestore} />
                Restore
              </Button>
            )
          }
        >
          This document is in the trash. It can be read and restored, not written.
        </Banner>
      )}
      {unreadable !== null && (
        <Banner
          second
          tone="warn"
          icon={TriangleAlert}
          actions={
            unreadable === 'newer' && (
              <Button look="edge" onClick={() => location.reload()}>
                <Icon of={RefreshCw} />
                Reload
              </Button>
            )
          }
        >
          {unreadableWords[unreadable]}
        </Banner>
      )}
      {offline && <Banner second tone="warn" icon={CloudOff}>{status.sentence}</Banner>}
      {status !== null && unsaved && (
        <Banner
          tone="bad"
          icon={TriangleAlert}
          actions={
            <>
              {status.action === 'retry' && (
                <Button look="edge" onClick={() => live?.sync.send({ type: 'retry' })}>
                  <Icon of={RotateCcw} />
                  Retry
                </Button>
              )}
              <Button look="edge" onClick={copy}>
                <Icon of={Copy} />
                Copy my changes
              </Button>
            </>
          }
        >
          {status.sentence}
        </Banner>
      )}
    </div>
  )
}
