import { describe, expect, it } from 'vitest'
import { addressOf, openingOf } from './past-address'

const asked = (query: string) => openingOf(new URLSearchParams(query))

describe('the address of the past', () => {
  it('[HISTORY-7] names a moment to the single edit, a range, and whether and how fast to play', () => {
    expect(asked('at=12')).toEqual({ at: { version: 12, edit: null }, range: null, compare: null, play: false, speed: 1, within: null })
    expect(asked('at=12&edit=3')).toMatchObject({ at: { version: 12, edit: 3 } })
    expect(asked('from=5&to=12&play=1&speed=4')).toEqual({ at: null, range: { from: 5, to: 12 }, compare: null, play: true, speed: 4, within: null })
    expect(asked('compare=5&since=2&with=12&edit=3')).toMatchObject({ compare: { version: 5, edit: 2 }, at: { version: 12, edit: 3 } })
    expect(asked('compare=5&with=now')).toMatchObject({ compare: { version: 5, edit: null }, at: null })
    expect(asked('from=5&to=12&play=1&within=20')).toMatchObject({ within: 20_000 })
    expect(asked('at=7&play=1&speed=0.25')).toMatchObject({ play: true, speed: 0.25 })
  })

  it('[HISTORY-7] is read with what makes no sense left out', () => {
    expect(asked('at=-1&from=5&play=yes&speed=3')).toEqual({ at: null, range: null, compare: null, play: false, speed: 1, within: null })
    expect(asked('at=9999999999999999999')).toMatchObject({ at: null })
  })

  it('[HISTORY-7] is written so that it is read as the same place', () => {
    const place = { at: { version: 12, edit: 3 }, range: { from: 5, to: 20 } }
    expect(asked(addressOf(place))).toMatchObject(place)
    expect(addressOf({ at: { version: 12, edit: null }, range: null })).toBe('?at=12')
  })
})
