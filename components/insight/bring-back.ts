import * as Y from 'yjs'
import { type LostPassage, type LostPiece } from '../../events/insight/lost-passage'
import { type Block } from '../../events/replay/manuscript'
import { scriptOf } from '../../events/replay/script'
import { type Timeline } from '../../events/replay/timeline'
import { isTakenBack } from '../editor/own-undo'

/** Words put back where they stood: the update that does it, and the way to take it back again. */
export type BroughtBack = {
  update: Uint8Array
  clientIds: number[]
  /** The update that takes the words out again, from the state then; null where nothing of them is left. */
  undo(state: Uint8Array): Uint8Array | null
}

const origin = 'bring back'

function textsOf(node: Y.XmlFragment | Y.XmlElement): Y.XmlText[] {
  return node.toArray().flatMap((child) => (child instanceof Y.XmlText ? [child] : child instanceof Y.XmlElement ? textsOf(child) : []))
}

function keyOf(type: Y.XmlElement | Y.XmlText | Y.XmlHook): string {
  const id = type._item?.id
  return id ? `${id.client}:${id.clock}` : ''
}

/** The text and the place in it behind a character, if its line is still there. */
function behind(doc: Y.Doc, { behind: id }: LostPiece): { text: Y.XmlText; index: number } | null {
  if (!id) return null
  const position = Y.createRelativePositionFromJSON({ item: id, assoc: -1 })
  const at = Y.createAbsolutePositionFromRelativePosition(position, doc)
  return at?.type instanceof Y.XmlText && at.type._item?.deleted !== true ? { text: at.type, index: at.index } : null
}

/** Where words go whose line has nothing left of what stood before them: its beginning, or a paragraph of their own at its place. */
function instead(doc: Y.Doc, blocks: readonly Block[], block: number): { text: Y.XmlText; index: number } {
  const fragment = doc.getXmlFragment('default')
  const standing = new Map(fragment.toArray().map((type, index) => [keyOf(type), { type, index }]))
  const own = standing.get(blocks[block]?.key ?? '')?.type
  const first = own instanceof Y.XmlElement ? textsOf(own)[0] : undefined
  if (first) return { text: first, index: 0 }
  const above = blocks.slice(0, block).findLast(({ key }) => standing.has(key))
  const index = above ? (standing.get(above.key)?.index ?? -1) + 1 : 0
  const paragraph = new Y.XmlElement('paragraph')
  const text = new Y.XmlText()
  paragraph.insert(0, [text])
  fragment.insert(index, [paragraph])
  return { text, index: 0 }
}

/** Makes the update that puts a lost passage back, piece by piece, behind what it stood behind. `state` is the timeline's newest, `clientId` a fresh one. */
export function bringBack(timeline: Timeline, state: Uint8Array, lost: LostPassage, clientId: number): BroughtBack | null {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  doc.clientID = clientId
  const undoing = new Y.UndoManager(doc.getXmlFragment('default'), {
    trackedOrigins: new Set([origin]),
    // The paragraph that was made for the words stays for as long as somebody else's stand in it.
    deleteFilter: isTakenBack,
  })
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array, from: unknown) => from !== 'read' && updates.push(update))
  const block = scriptOf(timeline).lines[lost.line]?.block ?? 0
  doc.transact(() => {
    for (const piece of lost.pieces) {
      const { text, index } = behind(doc, piece) ?? instead(doc, timeline.blocks, block)
      text.insert(index, piece.text)
    }
  }, origin)
  const [update] = updates
  if (!update) return null
  return {
    update,
    clientIds: [clientId],
    undo: (newest) => {
      Y.applyUpdate(doc, newest, 'read')
      updates.length = 0
      undoing.undo()
      return updates[0] ?? null
    },
  }
}
