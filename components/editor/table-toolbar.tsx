'use client'

import type { Editor } from '@tiptap/core'
import {
  BetweenHorizontalEnd, BetweenHorizontalStart, BetweenVerticalEnd, BetweenVerticalStart, PanelTop, TableColumnsSplit, TableRowsSplit, Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { useEditorState } from './editor-state'
import { Floating, type Anchor } from './floating'
import { useNarrow } from './narrow'
import { Toolbar, type Tool } from './toolbar'
import styles from './toolbar.module.css'

function tableAnchor(editor: Editor): Anchor | null {
  const { node } = editor.view.domAtPos(editor.state.selection.from)
  const element = node instanceof Element ? node : node.parentElement
  return element?.closest('.table')?.getBoundingClientRect() ?? null
}

function readTable(editor: Editor) {
  return {
    inside: editor.isEditable && editor.isActive('table'),
    focused: editor.isFocused,
    words: !editor.state.selection.empty,
    heading: editor.isActive('tableHeader'),
  }
}

function tableTools(editor: Editor, heading: boolean): Tool[] {
  const chain = () => editor.chain().focus()
  return [
    { id: 'row-above', label: 'Add row above', icon: BetweenHorizontalStart, disabled: heading, run: () => chain().addRowBefore().run() },
    { id: 'row-below', label: 'Add row below', icon: BetweenHorizontalEnd, run: () => chain().addRowAfter().run() },
    { id: 'column-before', label: 'Add column before', icon: BetweenVerticalStart, run: () => chain().addColumnBefore().run() },
    { id: 'column-after', label: 'Add column after', icon: BetweenVerticalEnd, run: () => chain().addColumnAfter().run() },
    { id: 'header', label: 'Header row', icon: PanelTop, pressed: heading, apart: true, run: () => chain().toggleHeaderRow().run() },
    { id: 'delete-row', label: 'Delete row', icon: TableRowsSplit, apart: true, run: () => chain().deleteRow().run() },
    { id: 'delete-column', label: 'Delete column', icon: TableColumnsSplit, run: () => chain().deleteColumn().run() },
    { id: 'delete-table', label: 'Delete table', icon: Trash2, run: () => chain().deleteTable().run() },
  ]
}

/** The controls of the table around the caret, above it; on a narrow screen the docked toolbar's place is theirs while nothing is selected. */
export function TableToolbar({ editor }: { editor: Editor }) {
  const table = useEditorState(editor, readTable)
  const narrow = useNarrow()
  const [within, setWithin] = useState(false)
  if (!table.inside || !(table.focused || within) || table.words || narrow) return null
  return (
    <Floating
      editor={editor}
      anchor={tableAnchor}
      side="above"
      className={styles.layer}
      data-toolbar="table"
      onFocus={() => setWithin(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setWithin(false)}
    >
      <Toolbar label="Table" tools={tableTools(editor, table.heading)} onLeave={() => editor.commands.focus()} />
    </Floating>
  )
}
