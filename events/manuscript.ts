import * as Y from 'yjs'
import { type Lifespans } from './lifespans'

/** Something that was once in the text, with the moments between which it stood there. */
type Lived = { born: number; died: number }

/** A stretch of characters in the order of the page; each has its own moments. `client` and `clock` are the Yjs id of the first. */
export type Strand = { kind: 'strand'; text: string; born: Uint32Array; died: Uint32Array; client: number; clock: number }
/** A mark that begins (`value` set) or ends (`value` null) here. */
export type Turn = Lived & { kind: 'turn'; key: string; value: unknown }
export type TextLine = Lived & { kind: 'line'; pieces: (Strand | Turn)[] }
export type Attribute = Lived & { key: string; value: unknown }
export type Part = Lived & { kind: 'part'; name: string; attributes: Attribute[]; children: (Part | TextLine)[] }

/** A top-level block of everything ever written, and the moments at which anything in it changed, ascending. */
export type Block = { key: string; node: Part | TextLine; changes: Uint32Array }

const deepest = 64

function life({ id }: Y.Item, lifespans: Lifespans, offset = 0): Lived {
  const clock = id.clock + offset
  return { born: lifespans.born(id.client, clock), died: lifespans.died(id.client, clock) }
}

function strandOf(item: Y.Item, text: string, lifespans: Lifespans): Strand {
  const { client, clock } = item.id
  const born = new Uint32Array(text.length)
  const died = new Uint32Array(text.length)
  for (let at = 0; at < text.length; at += 1) {
    born[at] = lifespans.born(client, clock + at)
    died[at] = lifespans.died(client, clock + at)
  }
  return { kind: 'strand', text, born, died, client, clock }
}

function lineOf(item: Y.Item, text: Y.XmlText, lifespans: Lifespans): TextLine {
  const pieces: (Strand | Turn)[] = []
  for (let at = text._start; at; at = at.right) {
    if (at.content instanceof Y.ContentString) pieces.push(strandOf(at, at.content.str, lifespans))
    else if (at.content instanceof Y.ContentFormat) {
      pieces.push({ kind: 'turn', key: at.content.key, value: at.content.value, ...life(at, lifespans) })
    }
  }
  return { kind: 'line', pieces, ...life(item, lifespans) }
}

function attributesOf(element: Y.XmlElement, lifespans: Lifespans): Attribute[] {
  const attributes: Attribute[] = []
  for (const [key, latest] of element._map) {
    for (let at: Y.Item | null = latest; at; at = at.left) {
      // Yjs joins values that followed each other and are both gone into one item.
      const values = at.content.getContent()
      for (let offset = values.length - 1; offset >= 0; offset -= 1) {
        attributes.push({ key, value: values[offset], ...life(at, lifespans, offset) })
      }
    }
  }
  return attributes
}

function childrenOf(parent: Y.XmlFragment, lifespans: Lifespans, depth: number): (Part | TextLine)[] {
  const children: (Part | TextLine)[] = []
  for (let at = parent._start; at; at = at.right) {
    const child = nodeOf(at, lifespans, depth)
    if (child) children.push(child)
  }
  return children
}

function nodeOf(item: Y.Item, lifespans: Lifespans, depth: number): Part | TextLine | null {
  if (!(item.content instanceof Y.ContentType) || depth > deepest) return null
  const type: unknown = item.content.type
  if (type instanceof Y.XmlText) return lineOf(item, type, lifespans)
  if (!(type instanceof Y.XmlElement)) return null
  return {
    kind: 'part',
    name: type.nodeName,
    attributes: attributesOf(type, lifespans),
    children: childrenOf(type, lifespans, depth + 1),
    ...life(item, lifespans),
  }
}

function collect(node: Part | TextLine, into: Set<number>): void {
  const both = ({ born, died }: Lived) => into.add(born).add(died)
  both(node)
  if (node.kind === 'part') {
    node.attributes.forEach(both)
    for (const child of node.children) collect(child, into)
    return
  }
  for (const piece of node.pieces) {
    if (piece.kind === 'turn') both(piece)
    else {
      for (const moment of piece.born) into.add(moment)
      for (const moment of piece.died) into.add(moment)
    }
  }
}

/**
 * Everything that was ever written into a document, in the order of the page. Deleted characters keep their place in
 * Yjs's list, so the text at any moment is this, less what was not yet written or already gone: one pass, no replaying.
 */
export function manuscriptOf(fragment: Y.XmlFragment, lifespans: Lifespans): Block[] {
  const blocks: Block[] = []
  for (let at = fragment._start; at; at = at.right) {
    const node = nodeOf(at, lifespans, 0)
    if (!node) continue
    const moments = new Set<number>()
    collect(node, moments)
    blocks.push({ key: `${at.id.client}:${at.id.clock}`, node, changes: Uint32Array.from(moments).sort() })
  }
  return blocks
}
