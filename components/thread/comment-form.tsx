'use client'

import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '../ui/button'
import styles from './thread.module.css'

const longest = 10_000

type Props = {
  label: string
  /** What the button says. */
  submit: string
  initial?: string
  focused?: boolean
  /** Whether the buttons are there before somebody writes. */
  open?: boolean
  /** Changes where the field is asked to take the focus once more. */
  asked?: number
  onSubmit: (text: string) => void
  onCancel?: () => void
}

/** A field to say something in: Ctrl/⌘ Enter says it, Esc leaves it. It grows with what is written. */
export function CommentForm({ label, submit, initial = '', focused = false, open = false, asked = 0, onSubmit, onCancel }: Props) {
  const [text, setText] = useState(initial)
  const [within, setWithin] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const help = useId()
  useEffect(() => {
    if (!focused && asked === 0) return
    const element = field.current
    element?.focus({ preventScroll: true })
    element?.setSelectionRange(element.value.length, element.value.length)
    element?.scrollIntoView({ block: 'nearest' })
  }, [focused, asked])
  const ready = text.trim() !== ''
  const say = () => {
    if (!ready) return
    onSubmit(text.trim())
    setText('')
  }
  const leave = () => {
    setText(initial)
    onCancel?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      say()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      leave()
    }
  }
  const shown = open || within || text !== initial
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        say()
      }}
      onFocus={() => setWithin(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setWithin(false)
      }}
    >
      <textarea
        ref={field}
        rows={1}
        maxLength={longest}
        aria-label={label}
        aria-describedby={help}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span id={help} className="sr">Control or Command and Enter sends it, Escape leaves.</span>
      {shown && (
        <div className={styles.buttons}>
          <Button look="primary" type="submit" aria-disabled={!ready}>{submit}</Button>
          {onCancel && <Button look="quiet" onClick={leave}>Cancel</Button>}
        </div>
      )}
    </form>
  )
}
