import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { searchThroughTime } from '../../events/insight/deleted-text-search'
import { pageAt } from '../../events/replay/document-text'
import { told } from '../../events/insight/insight.fixture'
import { lostWith } from '../../events/insight/lost-passage'
import { type Timeline } from '../../events/replay/timeline'
import { bringBack } from './bring-back'

function found(timeline: Timeline, words: string) {
  const [first] = searchThroughTime(timeline, words)
  const lost = first && lostWith(timeline, first)
  if (!lost) throw new Error(`“${words}” is not gone.`)
  return lost
}

function read(...updates: Uint8Array[]): string {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc.getXmlFragment('default').toArray().map((block) => (block instanceof Y.XmlElement ? block.toArray().join('') : '')).join('\n')
}

describe('bringing words back', () => {
  const written = [
    { who: 'Ana', kind: 0, size: 1, word: 'We correct promptly.' },
    { who: 'Ben', kind: 0, at: 1, size: 1, word: 'And in the open.' },
  ] as const

  it('puts them where they stood, and takes them out again [UNDERSTAND-9]', () => {
    const timeline = told(...written, ...Array.from({ length: 10 }, () => ({ who: 'Ben' as const, kind: 7 })), { who: 'Ana', kind: 1, size: 10, word: '!' })
    expect(pageAt(timeline, timeline.length - 1).text).toBe('We correct!\nAnd in the open.')
    const made = bringBack(timeline, timeline.state(), found(timeline, 'PROMPT'), 99)
    expect(made?.clientIds).toEqual([99])
    const after = read(timeline.state(), made?.update ?? new Uint8Array())
    expect(after).toBe('We correct promptly.!\nAnd in the open.')
    const doc = new Y.Doc()
    Y.applyUpdate(doc, timeline.state())
    Y.applyUpdate(doc, made?.update ?? new Uint8Array())
    const undone = made?.undo(Y.encodeStateAsUpdate(doc))
    expect(read(Y.encodeStateAsUpdate(doc), undone ?? new Uint8Array())).toBe('We correct!\nAnd in the open.')
  })

  it('makes a paragraph where their own is gone, below what stood above it [UNDERSTAND-9]', () => {
    const timeline = told(...written, { who: 'Ana', kind: 0, at: 2, size: 1, word: 'The end.' }, { who: 'Ana', kind: 4, at: 1 })
    expect(pageAt(timeline, timeline.length - 1).text).toBe('We correct promptly.\nThe end.')
    const made = bringBack(timeline, timeline.state(), found(timeline, 'open'), 99)
    expect(read(timeline.state(), made?.update ?? new Uint8Array())).toBe('We correct promptly.\nAnd in the open.\nThe end.')
  })

  it('leaves what somebody else has written into that paragraph since where it is taken out again [UNDERSTAND-9]', () => {
    const timeline = told(...written, { who: 'Ana', kind: 0, at: 2, size: 1, word: 'The end.' }, { who: 'Ana', kind: 4, at: 1 })
    const made = bringBack(timeline, timeline.state(), found(timeline, 'open'), 99)
    const doc = new Y.Doc()
    Y.applyUpdate(doc, timeline.state())
    Y.applyUpdate(doc, made?.update ?? new Uint8Array())
    const line = doc.getXmlFragment('default').get(1)
    const words = line instanceof Y.XmlElement ? line.get(0) : null
    if (words instanceof Y.XmlText) words.insert(words.length, ' Indeed.')
    const undone = made?.undo(Y.encodeStateAsUpdate(doc))
    expect(read(Y.encodeStateAsUpdate(doc), undone ?? new Uint8Array())).toBe('We correct promptly.\n Indeed.\nThe end.')
  })
})
