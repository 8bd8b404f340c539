import * as Y from 'yjs'
import { describe, expect, it } from 'vitest'
import { deletionOf, transplant } from './transplant'
import { inspectUpdate } from './update-inspection'

const root = 'default'

/** A client's page and every single update that it makes. */
function page(clientId: number, ...from: Uint8Array[]) {
  const doc = new Y.Doc({ gc: false })
  doc.clientID = clientId
  for (const update of from) Y.applyUpdate(doc, update, 'others')
  const made: Uint8Array[] = []
  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin !== 'others') made.push(update)
  })
  return { doc, made, fragment: doc.getXmlFragment(root) }
}

function paragraph(text: string): Y.XmlElement {
  const element = new Y.XmlElement('paragraph')
  element.insert(0, [new Y.XmlText(text)])
  return element
}

function lineOf(fragment: Y.XmlFragment, index: number): Y.XmlText {
  const element = fragment.get(index)
  const line = element instanceof Y.XmlElement ? element.get(0) : null
  if (!(line instanceof Y.XmlText)) throw new Error('there is no such line')
  return line
}

function remade(base: ReturnType<typeof page>, unlogged: Uint8Array[], own: Uint8Array[]) {
  const state = Y.encodeStateAsUpdate(base.doc)
  const made = transplant({ base: state, unlogged, own, clientId: 99, roots: [root] })
  // The updates alone, over the log alone, give the same page: nothing in them hangs on what was left behind.
  const reader = new Y.Doc()
  for (const update of [state, ...made.updates]) Y.applyUpdate(reader, update)
  expect(reader.store.pendingStructs).toBeNull()
  expect(reader.store.pendingDs).toBeNull()
  expect(reader.getXmlFragment(root).toString()).toBe(made.doc.getXmlFragment(root).toString())
  for (const { client } of made.updates.flatMap((update) => inspectUpdate(update).structs)) expect(client).toBe(99)
  return { ...made, text: made.doc.getXmlFragment(root).toString() }
}

describe('making edits again', () => {
  it('keeps one’s own letters, marks and attributes and leaves the others’ behind', () => {
    const log = page(1)
    log.fragment.insert(0, [paragraph('Hello world')])
    const ana = page(2, Y.encodeStateAsUpdate(log.doc))
    lineOf(ana.fragment, 0).insert(5, ' big')
    const ben = page(3, Y.encodeStateAsUpdate(ana.doc))
    lineOf(ben.fragment, 0).insert(9, 'ger', { bold: true })
    const heading = new Y.XmlElement('heading')
    heading.setAttribute('level', '2')
    heading.insert(0, [new Y.XmlText('Title')])
    ben.fragment.insert(0, [heading])
    lineOf(ben.fragment, 1).delete(0, 1)
    expect(remade(log, ana.made, ben.made).text).toBe(
      '<heading level="2">Title</heading><paragraph>ello<bold>ger</bold> world</paragraph>',
    )
  })

  it('keeps the node of another in which one’s own letters stand, without the other’s letters', () => {
    const log = page(1)
    log.fragment.insert(0, [paragraph('first')])
    const ana = page(2, Y.encodeStateAsUpdate(log.doc))
    ana.fragment.insert(1, [paragraph('ana only'), paragraph('shared')])
    const ben = page(3, Y.encodeStateAsUpdate(ana.doc))
    lineOf(ben.fragment, 2).insert(3, 'BEN')
    expect(remade(log, ana.made, ben.made).text).toBe('<paragraph>first</paragraph><paragraph>BEN</paragraph>')
  })

  it('puts off deletions of what the log lacks', () => {
    const log = page(1)
    log.fragment.insert(0, [paragraph('abc')])
    const ana = page(2, Y.encodeStateAsUpdate(log.doc))
    lineOf(ana.fragment, 0).insert(3, 'xyz')
    const ben = page(3, Y.encodeStateAsUpdate(ana.doc))
    lineOf(ben.fragment, 0).delete(2, 2)
    const { text, deferred } = remade(log, ana.made, ben.made)
    expect(text).toBe('<paragraph>ab</paragraph>')
    const later = new Y.Doc()
    for (const update of [Y.encodeStateAsUpdate(log.doc), ...ana.made, deletionOf(deferred)]) Y.applyUpdate(later, update)
    expect(later.getXmlFragment(root).toString()).toBe('<paragraph>abcyz</paragraph>')
  })

  it('does not take its own edits for known when somebody else logged under the same client id', () => {
    const log = page(7)
    log.fragment.insert(0, [paragraph('theirs')])
    const own = page(7)
    own.fragment.insert(0, [paragraph('mine')])
    expect(remade(log, [], own.made).text).toContain('<paragraph>mine</paragraph>')
  })
})
