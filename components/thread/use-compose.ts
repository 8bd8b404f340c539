'use client'

import type { Editor } from '@tiptap/core'
import { useCallback, useState } from 'react'
import { type Anchor } from '../../events/anchor/anchor'
import { anchorOf, liveText } from '../../events/anchor/live-anchor'
import { type LiveDocument } from '../../machines/actors/live-document'
import { longestQuote } from '../../machines/thread'
import { readSelection } from '../editor/own-selection'
import { passagesIn } from '../editor/passages'
import { textRuns } from './text-runs'

/** A thread that is being begun; `text` is what a refusal gave back. */
export type Draft = { anchor: Anchor; text: string }

const letter = /[\p{L}\p{N}'’-]/u

/** The stretch that is meant: what is selected, else the word at the caret, else all of its block. */
function meant({ state }: Editor): { from: number; to: number } {
  const { from, to, empty, $from } = state.selection
  if (!empty) return { from, to }
  const text = $from.parent.textBetween(0, $from.parent.content.size, undefined, '￼')
  const [start, end] = [$from.start(), $from.parentOffset]
  let [first, last] = [end, end]
  while (first > 0 && letter.test(text[first - 1] ?? '')) first -= 1
  while (last < text.length && letter.test(text[last] ?? '')) last += 1
  return first < last ? { from: start + first, to: start + last } : { from: start, to: start + text.length }
}

function anchorAt(editor: Editor, live: LiveDocument): Anchor | null {
  const { from, to } = meant(editor)
  const runs = textRuns(editor.state.doc, liveText(live.fragment))
  const [first, last] = [runs?.spotOf(from, 1), runs?.spotOf(to, -1)]
  return first && last ? anchorOf(live.fragment, first, last, longestQuote) : null
}

/** The thread whose words the caret stands in, if nothing is selected. */
function threadAtCaret({ state }: Editor): string | null {
  const { from, empty } = state.selection
  if (!empty) return null
  const [hit] = [...passagesIn(state)].filter(([, passage]) => passage.from < from && from < passage.to)
  return hit?.[0] ?? null
}

/** Beginning a thread on what is selected: `begin` answers what it came to. */
export function useCompose(editor: Editor | null, live: LiveDocument) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const begin = useCallback((): { thread: string } | 'begun' | 'no-words' => {
    if (editor === null || editor.isDestroyed) return 'no-words'
    readSelection(editor.view)
    const thread = threadAtCaret(editor)
    if (thread !== null) return { thread }
    const anchor = anchorAt(editor, live)
    if (anchor === null) return 'no-words'
    setDraft({ anchor, text: '' })
    return 'begun'
  }, [editor, live])
  return { draft, setDraft, begin }
}
