import fc from 'fast-check'
import * as Y from 'yjs'

/** One thing that a writer does to a document, as numbers that a property test may choose freely. */
export type Gesture = { kind: number; at: number; size: number; writer: number; word: string }

/** Any gesture of one of three writers, with words of one's choice. */
export const gestureWith = (word: fc.Arbitrary<string>): fc.Arbitrary<Gesture> =>
  fc.record({ kind: fc.nat(8), at: fc.nat(20), size: fc.nat(60), writer: fc.nat(2), word })

/** Any gesture of one of three writers. */
export const anyGesture = gestureWith(fc.oneof(fc.constantFrom('a', 'the quick', '\u{1f600}'), fc.string({ unit: 'grapheme', maxLength: 8 })))

function texts(node: Y.XmlFragment | Y.XmlElement): Y.XmlText[] {
  return node.toArray().flatMap((child) => (child instanceof Y.XmlText ? [child] : child instanceof Y.XmlElement ? texts(child) : []))
}

function paragraph(name: string, word: string): Y.XmlElement {
  const element = new Y.XmlElement(name)
  const text = new Y.XmlText()
  if (word !== '') text.insert(0, word)
  element.insert(0, [text])
  return element
}

/** The position, or the one before it where it would cut a surrogate pair in two, which no editor does. */
function whole(text: Y.XmlText, position: number): number {
  const runs: { insert: string }[] = text.toDelta()
  const unit = runs.map(({ insert }) => insert).join('').charCodeAt(position)
  return unit >= 0xdc00 && unit <= 0xdfff ? position - 1 : position
}

function act(doc: Y.Doc, { kind, at, size, word }: Gesture): void {
  const root = doc.getXmlFragment('default')
  const all = texts(root)
  const text = all[at % Math.max(1, all.length)]
  if (!text || kind === 0) {
    root.insert(at % (root.length + 1), [paragraph(size % 3 === 0 ? 'heading' : 'paragraph', word)])
    return
  }
  const length = text.length
  const from = whole(text, size % (length + 1))
  const count = whole(text, Math.min(from + (size % 7), length)) - from
  if (kind === 1 && word !== '') text.insert(from, word)
  else if (kind === 2 && count > 0) text.delete(from, count)
  else if (kind === 3 && count > 0) text.format(from, count, size % 2 === 0 ? { bold: {} } : { link: { href: `https://example.com/${word}` } })
  else if (kind === 4 && root.length > 1) root.delete(at % root.length, 1)
  else if (kind === 5) {
    const element = root.get(at % root.length)
    if (element instanceof Y.XmlElement) element.setAttribute('level', String(size % 4))
  } else if (kind === 6) text.insert(length, [...word][0] ?? 'x', { bold: {}, italic: {} })
  else if (kind === 7 && length > 0) text.delete(whole(text, length - 1), length - whole(text, length - 1))
  else if (kind === 8) root.insert(root.length, [paragraph('paragraph', `${word} `.repeat(size * 3))])
}

/** The single updates of a session of several writers who see each other's work after every `apart` gestures. */
export function richEdits(gestures: Gesture[], apart = 1): { client: number; update: Uint8Array }[] {
  const edits: { client: number; update: Uint8Array }[] = []
  const writers = [3_141_592_653, 7, 2 ** 40 + 1].map((clientID) => {
    const doc = new Y.Doc({ gc: false })
    doc.clientID = clientID
    return { doc, unseen: [] as Uint8Array[] }
  })
  for (const { doc } of writers) {
    doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin === 'peer') return
      edits.push({ client: doc.clientID, update })
      for (const other of writers) if (other.doc !== doc) other.unseen.push(update)
    })
  }
  for (const [index, gesture] of gestures.entries()) {
    if (index % apart === 0) for (const { doc, unseen } of writers) for (const update of unseen.splice(0)) Y.applyUpdate(doc, update, 'peer')
    const writer = writers[gesture.writer % writers.length]
    writer?.doc.transact(() => act(writer.doc, gesture))
  }
  return edits
}
