import { updateYFragment } from '@tiptap/y-tiptap'
import * as Y from 'yjs'
import { type DocumentJson } from '../../events/document-text'
import { documentSchema } from '../editor/schema'

/** How many words a restore brings back and takes out. */
export type WordDelta = { back: number; out: number }
export type Restoring = { update: Uint8Array; clientIds: number[] }

function cleaned(node: DocumentJson): DocumentJson[] {
  if (node.text !== undefined) {
    const marks = (node.marks ?? []).filter(({ type }) => documentSchema.marks[type])
    return [{ type: 'text', text: node.text, ...(marks.length > 0 ? { marks } : {}) }]
  }
  const content = (node.content ?? []).flatMap(cleaned)
  if (!documentSchema.nodes[node.type]) return content
  return [{ type: node.type, ...(node.attrs ? { attrs: node.attrs } : {}), ...(content.length > 0 ? { content } : {}) }]
}

/**
 * The update that makes a document read as `target`, by the smallest change of structure: what both have in common
 * stays as it is, with its authors. Null where nothing would change. `state` is the document now, `clientId` a fresh one.
 */
export function restoreUpdate(state: Uint8Array, target: DocumentJson, clientId: number): Restoring | null {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  doc.clientID = clientId
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  const [root] = cleaned(target)
  const node = documentSchema.nodeFromJSON(root ?? { type: 'doc' })
  doc.transact(() => updateYFragment(doc, doc.getXmlFragment('default'), node, { mapping: new Map(), isOMark: new Map() }))
  const [update] = updates
  return update ? { update, clientIds: [clientId] } : null
}

function words(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of text.match(/[\p{L}\p{N}’'-]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function missingFrom(some: Map<string, number>, others: Map<string, number>): number {
  let missing = 0
  for (const [word, count] of some) missing += Math.max(0, count - (others.get(word) ?? 0))
  return missing
}

/** How many words of `target` are not in `now`, and the other way round. */
export function wordDelta(now: string, target: string): WordDelta {
  const [present, wanted] = [words(now), words(target)]
  return { back: missingFrom(wanted, present), out: missingFrom(present, wanted) }
}
