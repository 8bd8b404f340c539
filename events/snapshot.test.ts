import { describe, expect, it } from 'vitest'
import { applyUpdate, Doc, encodeStateAsUpdate } from 'yjs'
import { packSnapshot, unpackSnapshot } from './snapshot'

function stateOf(words: string): Uint8Array {
  const doc = new Doc()
  doc.getText('t').insert(0, words)
  return encodeStateAsUpdate(doc)
}

describe('a packed snapshot', () => {
  const snapshot = { state: stateOf('Open on Monday'), owners: [[7, 'ana'], [9, 'ben']] as [number, string][], schema: 1 }

  it('[EDIT-9] gives back state, bindings and schema', () => {
    expect(unpackSnapshot(packSnapshot(snapshot))).toEqual(snapshot)
  })

  it('[EDIT-9] is a plain Yjs state to everybody else', () => {
    const doc = new Doc()
    applyUpdate(doc, packSnapshot(snapshot))
    expect(doc.getText('t').toString()).toBe('Open on Monday')
  })

  it('[EDIT-9] does not take a plain state for a packed one', () => {
    expect(unpackSnapshot(snapshot.state)).toBeNull()
    expect(unpackSnapshot(new Uint8Array(3))).toBeNull()
  })
})
