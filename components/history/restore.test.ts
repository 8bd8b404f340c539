import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { documentAt, pageAt } from '../../events/document-text'
import { richEdits } from '../../events/rich-edits.fixture'
import { row, stream } from '../../events/rows.fixture'
import { openTimeline } from '../../events/timeline'
import { restoreUpdate, wordDelta } from './restore'

const gesture = fc.record({ kind: fc.nat(7), at: fc.nat(20), size: fc.nat(60), writer: fc.nat(2), word: fc.constantFrom('alpha ', 'beta ', 'é', '') })
const people = new Map([[3_141_592_653, 'Ana'], [7, 'Ben'], [2 ** 40 + 1, 'Carol']])
const start = Date.UTC(2026, 10, 14, 15, 42)

describe('restoring a moment', { timeout: 60_000 }, () => {
  it('makes the present read as the moment did, as one more event that keeps every other [REPLAY-8]', () => {
    fc.assert(
      fc.property(fc.array(gesture, { minLength: 4, maxLength: 30 }).map(richEdits), fc.nat(), (edits, pick) => {
        const rows = stream('Minutes', edits.map(({ client, update }, at) => [{ update, time: start + at * 100, actorId: people.get(client) ?? '' }]))
        const before = openTimeline(rows)
        const index = pick % before.length
        const doc = new Y.Doc()
        for (const { update } of edits) Y.applyUpdate(doc, update)
        const made = restoreUpdate(Y.encodeStateAsUpdate(doc), documentAt(before.blocks, index), 99)
        if (!made) {
          expect(pageAt(before, index).text).toBe(pageAt(before, before.length - 1).text)
          return
        }
        const reverted = row({ version: rows.length + 1, actorId: 'Ben', type: 'document.reverted', body: { toVersion: 1 }, ...made }, start + 10 ** 6)
        const after = openTimeline([...rows, reverted])
        expect(after.flags).toEqual([])
        expect(pageAt(after, after.length - 1).text).toBe(pageAt(before, index).text)
        for (const at of [0, index, before.length - 1]) expect(pageAt(after, at)).toEqual(pageAt(before, at))
      }),
      { numRuns: 150 },
    )
  })

  it('keeps the authors of what stayed', () => {
    const edits = richEdits([
      { kind: 0, at: 0, size: 1, writer: 0, word: 'ana wrote this' },
      { kind: 1, at: 0, size: 14, writer: 1, word: ' and ben that' },
    ])
    const rows = stream('Minutes', edits.map(({ client, update }, at) => [{ update, time: start + at * 100, actorId: people.get(client) ?? '' }]))
    const before = openTimeline(rows)
    const doc = new Y.Doc()
    for (const { update } of edits) Y.applyUpdate(doc, update)
    const made = restoreUpdate(Y.encodeStateAsUpdate(doc), documentAt(before.blocks, 1), 99)
    if (!made) throw new Error('There is nothing to restore.')
    const after = openTimeline([...rows, row({ version: 4, actorId: 'Carol', type: 'document.reverted', ...made }, start + 9999)])
    expect(pageAt(after, after.length - 1)).toMatchObject({ text: 'ana wrote this', authors: [{ length: 14, author: 0 }] })
  })

  it('counts the words that come back and those that go', () => {
    expect(wordDelta('the cat sat', 'the dog sat on the mat')).toEqual({ back: 4, out: 1 })
    expect(wordDelta('same words', 'words, same')).toEqual({ back: 0, out: 0 })
  })
})
