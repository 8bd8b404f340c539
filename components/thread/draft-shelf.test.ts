import { describe, expect, it } from 'vitest'
import { draftShelf } from './draft-shelf'

function memory(full = false) {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (full) throw new DOMException('full', 'QuotaExceededError')
      items.set(key, value)
    },
    removeItem: (key: string) => void items.delete(key),
  }
}
const anchor = { start: 'AA==', end: 'AQ==', quote: 'at nine' }

describe('[COMMENT-10] what is written and not said', () => {
  it('is there for the next page of the same person and document, and for no other', () => {
    const storage = memory()
    const shelf = draftShelf(storage, 'ana', 'doc')
    shelf.begin({ anchor, text: '' })
    shelf.beginning.write('Ten, sur')
    shelf.slot('thread').write('No')
    const next = draftShelf(storage, 'ana', 'doc')
    expect([next.begun(), next.slot('thread').read(), next.slot('other').read()]).toEqual([{ anchor, text: 'Ten, sur' }, 'No', ''])
    for (const [who, where] of [['ben', 'doc'], ['ana', 'elsewhere']] as const) expect(draftShelf(storage, who, where).begun()).toBeNull()
  })

  it('is gone from the device once it is sent or discarded', () => {
    const storage = memory()
    const shelf = draftShelf(storage, 'ana', 'doc')
    shelf.begin({ anchor, text: 'x' })
    shelf.slot('thread').write('No')
    shelf.begin(null)
    shelf.slot('thread').write('')
    expect(storage.items.size).toBe(0)
    // Words of a thread that nobody is beginning have no place.
    shelf.beginning.write('late')
    expect(shelf.begun()).toBeNull()
  })

  it('lasts as long as the page where the device has no room or no storage, and forgets what it cannot read', () => {
    for (const storage of [memory(true), null]) {
      const shelf = draftShelf(storage, 'ana', 'doc')
      shelf.slot('thread').write('No')
      expect(shelf.slot('thread').read()).toBe('No')
    }
    const strange = memory()
    for (const value of ['{', '[]', '{"begun":{"text":5},"words":{}}']) {
      strange.items.set('palimpsest.drafts.ana.doc', value)
      expect(draftShelf(strange, 'ana', 'doc').begun()).toBeNull()
    }
  })
})
