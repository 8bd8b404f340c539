'use client'

import { useEffect, useState } from 'react'
import { systemRandom } from '../../events/clock'
import { redactableWords } from '../../events/payload/redactable-words'
import { StoreFault, type Store } from '../../events/store'
import { failureWords, reportUnexpected, unsureWords } from '../failure-words'
import { Button } from '../ui/button'
import { Dialog, DialogActions } from '../ui/dialog'
import { Field } from '../ui/field'
import { backToSlider } from './slider-focus'
import styles from './redact-dialog.module.css'

type Props = {
  documentId: string
  store: Pick<Store, 'read'>
  /** The version of the event whose words are to go, who wrote them and when, in words. */
  version: number
  author: string
  when: string
  onClose: () => void
}

const kept = 'Nothing was changed'

async function messageOf(response: Response): Promise<string> {
  const answer: unknown = await response.json().catch(() => null)
  return typeof answer === 'object' && answer !== null && 'message' in answer && typeof answer.message === 'string'
    ? answer.message
    : 'This could not be redacted as it is. Nothing was changed; reload the page and try again.'
}

/** Asks an owner before the words of one event are destroyed, and shows which they are. */
export function RedactDialog({ documentId, store, version, author, when, onClose }: Props) {
  const [words, setWords] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    let wanted = true
    store.read(documentId, version - 1, 1).then(
      ([row]) => wanted && setWords(row ? redactableWords(row) : ''),
      (fault: unknown) => {
        reportUnexpected(fault)
        if (wanted) setError(failureWords(fault, kept, navigator.onLine))
      },
    )
    return () => {
      wanted = false
    }
  }, [documentId, store, version])
  const redact = async () => {
    setBusy(true)
    const response = await fetch(`/d/${documentId}/redact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: systemRandom.uuid(), version, reason }),
    }).catch(() => null)
    // The player holds what it has read; only a new page is sure to hold nothing of it.
    if (response?.ok) return location.reload()
    setBusy(false)
    setError(response ? await messageOf(response) : unsureWords(new StoreFault('no answer', 0), kept, navigator.onLine))
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      onCloseAutoFocus={backToSlider}
      title="Redact this edit"
      description={`What ${author} wrote here, ${when}, is destroyed for everyone: in the document, in its history and in every copy this server keeps. That it happened stays, and that you redacted it. This cannot be undone.`}
    >
      {words !== null && (words === '' ? <p className={styles.none}>There are no words in this edit; nothing to redact.</p> : <blockquote className={styles.words}>{words}</blockquote>)}
      {words !== '' && (
        <Field label="Reason" help="Everybody can read it in the history." value={reason} maxLength={300} error={error} onChange={(event) => setReason(event.target.value)} />
      )}
      <DialogActions>
        <Button look="edge" onClick={onClose}>
          Cancel
        </Button>
        {words !== '' && (
          <Button look="danger" busy={busy} disabled={words === null} onClick={() => void redact()}>
            Redact for good
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
