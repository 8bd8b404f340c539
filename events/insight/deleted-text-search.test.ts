import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchThroughTime } from './deleted-text-search'
import { anyTimeline, told } from './insight.fixture'
import { lostWith } from './lost-passage'
import { scriptOf, standsAt } from '../replay/script'
import { type Timeline } from '../replay/timeline'

type Presence = { since: number; until: number | null }

/** Looks through every line at every moment. */
function everyPresence(timeline: Timeline, words: string): Map<string, Presence> {
  const seen = new Map<string, number[]>()
  for (const [index, line] of scriptOf(timeline).lines.entries()) {
    for (let at = 0; at < timeline.length; at += 1) {
      const units = Array.from({ length: line.text.length }, (_, offset) => offset).filter((offset) => standsAt(line, offset, at))
      const text = units.map((offset) => line.text[offset]).join('').toLowerCase()
      for (let found = text.indexOf(words); found !== -1; found = text.indexOf(words, found + 1)) {
        const key = `${index}:${units[found]}`
        seen.set(key, [...(seen.get(key) ?? []), at])
      }
    }
  }
  return new Map(
    [...seen].map(([key, moments]) => {
      const last = moments.at(-1) ?? 0
      return [key, { since: moments[0] ?? 0, until: last === timeline.length - 1 ? null : last + 1 }]
    }),
  )
}

describe('search through time', { timeout: 60_000 }, () => {
  it('finds exactly what stood there at some moment, with when it came and when it went [UNDERSTAND-5]', () => {
    fc.assert(
      fc.property(anyTimeline, fc.constantFrom('a', 'ab', 'bb', 'the', 'e q', 'quick', 'aa', 'athe'), (timeline, words) => {
        const found = searchThroughTime(timeline, words)
        const byKey = new Map(found.map(({ line, start, since, until }) => [`${line}:${start}`, { since, until }]))
        expect(byKey).toEqual(everyPresence(timeline, words))
        for (const { text } of found) expect(text.toLowerCase()).toBe(words)
      }),
      { numRuns: 120 },
    )
  })

  it('names what went first, the latest first, and nothing for nothing', () => {
    const timeline = told(
      { who: 'Ana', kind: 0, word: 'hidden from the reader, hidden' },
      // Six letters from the beginning.
      { who: 'Ben', kind: 2, size: 62 },
    )
    expect(searchThroughTime(timeline, '  ')).toEqual([])
    const [first, second] = searchThroughTime(timeline, 'HIDDEN')
    expect([first?.until === null, second?.until]).toEqual([false, null])
  })

  it('tells the whole passage that went with the words, and what it stood behind [UNDERSTAND-6]', () => {
    // Backspacing takes the letters one by one, from the last.
    const words = 'One. Two three.'
    const timeline = told(
      { who: 'Ana', kind: 0, word: words },
      ...Array.from({ length: 11 }, () => ({ who: 'Ben' as const, kind: 7 })),
    )
    const [found] = searchThroughTime(timeline, 'three')
    if (!found) throw new Error('It was not found.')
    const lost = lostWith(timeline, found)
    expect(lost?.text).toBe(' Two three.')
    expect(lost?.pieces).toEqual([{ text: ' Two three.', behind: expect.objectContaining({ client: 3_141_592_653 }) }])
  })
})
