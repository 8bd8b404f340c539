import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { yUndoPluginKey } from '@tiptap/y-tiptap'
import { ContentType, type Item, XmlElement } from 'yjs'

const items = new Set(['listItem', 'taskItem'])

/**
 * Whether Undo may take out something of one's own: no block that somebody else's words stand in, and no line that the rest
 * of an item of a list hangs on. An editor that met what was left of it would delete that for everybody.
 */
export function isTakenBack({ content, parent }: Item): boolean {
  if (!(content instanceof ContentType)) return true
  if (content.type._length > 0) return false
  return !(parent instanceof XmlElement && items.has(parent.nodeName) && parent.length > 1 && parent.get(0) === content.type)
}

/** Has Undo take back one's own edits and nothing else. */
export const OwnUndo = Extension.create({
  name: 'ownUndo',
  addProseMirrorPlugins() {
    return [
      new Plugin({
        view(view) {
          const undo = yUndoPluginKey.getState(view.state)?.undoManager
          if (undo) undo.deleteFilter = isTakenBack
          return {}
        },
      }),
    ]
  },
})
