'use client'

import type { Editor } from '@tiptap/core'
import dynamic from 'next/dynamic'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import type { Awareness } from 'y-protocols/awareness'
import type { XmlFragment } from 'yjs'
import type { Unreadable } from './content-guard'
import { createTextEditor, textHelpId } from './editor-binding'
import { useEditorState } from './editor-state'
import { FormatToolbar } from './format-toolbar'
import { useKeyboardInset } from './narrow'
import { refreshCarets, type RemoteCaretsOptions } from './remote-carets'
import { slashState } from './slash'
import { TableToolbar } from './table-toolbar'
import styles from './text.module.css'

const SlashMenu = dynamic(() => import('./slash-menu').then((module) => module.SlashMenu), { ssr: false })
const LinkForm = dynamic(() => import('./link-form').then((module) => module.LinkForm), { ssr: false })

/** The live side of a text, there once the document is open in this browser. */
export type LiveText = { fragment: XmlFragment; awareness: Awareness; userId: string }

type Props = {
  /** The text as the server rendered it, shown until the editor takes over in place. */
  html: string
  live: LiveText | null
  editable: boolean
  /** Who a peer is; a new function redraws the carets. */
  personOf: RemoteCaretsOptions['personOf']
  onRefuse: (sentence: string) => void
  onUnreadable: (why: Unreadable) => void
}

/** The text of a document: readable from the server's HTML, then written in place. `live`, `onRefuse` and `onUnreadable` must stay the same. */
export function TextEditor({ html, live, editable, personOf, onRefuse, onUnreadable }: Props) {
  const [editor, setEditor] = useState<Editor | null>(null)
  const [layer, setLayer] = useState<Layer>(null)
  // The editor outlives a change of who people are, so it asks this each time.
  const people = useRef(personOf)
  const attach = useCallback(
    (element: HTMLDivElement) => {
      if (live === null) return
      const created = createTextEditor({
        ...live,
        element,
        personOf: (clientId, state) => people.current(clientId, state),
        onRefuse,
        onUnreadable,
        onLink: () => setLayer('link'),
        onToolbar: () => {
          const table = document.querySelector<HTMLElement>('[data-toolbar="table"] button[tabindex="0"]')
          if (table === null) setLayer('toolbar')
          else table.focus()
        },
      })
      setEditor(created)
      return () => {
        setEditor(null)
        created?.destroy()
      }
    },
    [live, onRefuse, onUnreadable],
  )
  useEffect(() => {
    people.current = personOf
    if (editor !== null && !editor.isDestroyed) refreshCarets(editor.view)
  }, [editor, personOf])
  useEffect(() => {
    if (editor !== null && !editor.isDestroyed) editor.setEditable(editable, false)
    document.documentElement.dataset.editor = editor === null ? 'static' : 'live'
  }, [editor, editable])
  return (
    <>
      <Host html={html} attach={attach} />
      {editor !== null && editable && <Layers editor={editor} layer={layer} setLayer={setLayer} />}
      <p id={textHelpId} className="sr">Press / for blocks, Alt+F10 for the toolbar, Esc and then Tab to leave the text.</p>
    </>
  )
}

type HostProps = { html: string; attach: (element: HTMLDivElement) => (() => void) | undefined }

/** The element of the text. It is rendered once: what is inside belongs to the editor as soon as there is one. */
const Host = memo(
  function Host({ html, attach }: HostProps) {
    return (
      <div
        ref={attach}
        id="text"
        role="textbox"
        aria-multiline="true"
        aria-label="Document text"
        aria-readonly="true"
        tabIndex={0}
        className={styles.text}
        dangerouslySetInnerHTML={{ __html: html }}
        suppressHydrationWarning
      />
    )
  },
  (before, after) => before.attach === after.attach,
)

type Layer = 'link' | 'toolbar' | null

function Layers({ editor, layer, setLayer }: { editor: Editor; layer: Layer; setLayer: (layer: Layer) => void }) {
  const slash = useEditorState(editor, readSlash)
  const close = useCallback(() => setLayer(null), [setLayer])
  useKeyboardInset()
  return (
    <>
      {slash !== null && <SlashMenu editor={editor} open={slash} />}
      {layer === 'link' ? (
        <LinkForm editor={editor} onClose={close} />
      ) : (
        <FormatToolbar editor={editor} asked={layer === 'toolbar'} onLink={() => setLayer('link')} onLeave={close} />
      )}
      <TableToolbar editor={editor} />
    </>
  )
}

function readSlash(editor: Editor) {
  return editor.isFocused ? slashState(editor.state) : null
}
