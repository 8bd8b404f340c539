'use client'

import { useState } from 'react'
import { Button } from '../ui/button'
import { Dialog, DialogActions } from '../ui/dialog'
import { numberWords } from './moment-words'
import { type WordDelta } from './restore'
import { backToSlider } from './slider-focus'

type Props = {
  /** When the text read as it will read again. */
  moment: string
  delta: WordDelta
  /** Who else is writing now, by first name. */
  writing: readonly string[]
  onConfirm: () => Promise<void>
  onClose: () => void
}

const list = new Intl.ListFormat('en-GB')

function count(words: number): string {
  return `${numberWords(words)} ${words === 1 ? 'word' : 'words'}`
}

function deltaWords({ back, out }: WordDelta): string {
  if (back === 0 && out === 0) return 'The words are the same; only their form or order changes.'
  if (out === 0) return `It brings back ${count(back)}.`
  if (back === 0) return `It takes out ${count(out)}.`
  return `It brings back ${count(back)} and takes out ${count(out)}.`
}

/** Asks before an earlier moment becomes the present, and says what that does to the text and to whoever writes now. */
export function RestoreDialog({ moment, delta, writing, onConfirm, onClose }: Props) {
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    await onConfirm()
    setBusy(false)
  }
  const others = writing.length > 0 ? ` ${list.format(writing)} ${writing.length === 1 ? 'is' : 'are'} writing now and will see it happen.` : ''
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      onCloseAutoFocus={backToSlider}
      title="Restore this moment?"
      description={`The document will read as it did on ${moment}. ${deltaWords(delta)}${others} Nothing is lost: what stands there now stays in the history, and you can come back to it.`}
    >
      <DialogActions>
        <Button look="edge" onClick={onClose}>
          Cancel
        </Button>
        <Button look="primary" busy={busy} onClick={() => void confirm()}>
          Restore
        </Button>
      </DialogActions>
    </Dialog>
  )
}
