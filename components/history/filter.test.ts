import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyTimeline, told } from '../../events/insight/insight.fixture'
import { outlineAt } from '../../events/replay/outline'
import { row } from '../../events/replay/rows.fixture'
import { openTimeline } from '../../events/replay/timeline'
import { filterWords, noFilter, visitsOf } from './filter'

const start = Date.UTC(2026, 10, 14, 15, 42)

describe('filters of the player', () => {
  it('[HISTORY-12] visit one person’s moments and no other', () => {
    fc.assert(
      fc.property(anyTimeline, fc.constantFrom('Ana', 'Ben', 'Carol', 'Mallory'), (timeline, author) => {
        const own = [...Array(timeline.length).keys()].filter((index) => timeline.moment(index).actorId === author)
        expect([...(visitsOf(timeline, { author, what: 'everything' }).moments ?? [])]).toEqual(own)
      }),
      { numRuns: 40 },
    )
    expect(visitsOf(told({ who: 'Ana', kind: 0, word: 'text' }), noFilter).moments).toBeNull()
  })

  it('[HISTORY-12] visit what changed between a heading and the next that is not below it', () => {
    const timeline = told(
      { who: 'Ana', kind: 0, at: 0, size: 3, word: 'The rule' },
      { who: 'Ana', kind: 0, at: 1, size: 1, word: 'We correct.' },
      { who: 'Ben', kind: 0, at: 2, size: 3, word: 'What it says' },
      { who: 'Ben', kind: 1, at: 1, size: 3, word: 'gladly' },
      { who: 'Ana', kind: 1, at: 2, size: 0, word: 'On ' },
    )
    const at = timeline.length - 1
    const outline = outlineAt(timeline, at)
    expect(outline.map(({ title }) => title)).toEqual(['The rule', 'On What it says'])
    const [rule] = outline
    if (!rule) throw new Error('There is no section.')
    expect([...(visitsOf(timeline, { author: null, what: rule }).moments ?? [])]).toEqual([1, 2, 4])
    expect([...(visitsOf(timeline, { author: 'Ben', what: rule }).moments ?? [])]).toEqual([4])
    expect(outlineAt(timeline, 0)).toEqual([])
  })

  it('[HISTORY-12] visit only comments, or only restores, and leave time to read them', () => {
    const types = ['document.created', 'document.edited', 'thread.opened', 'comment.added', 'document.reverted', 'document.edited', 'thread.resolved']
    const timeline = openTimeline(types.map((type, index) => row({ version: index + 1, actorId: index % 2 ? 'Ben' : 'Ana', type, body: { title: 'Minutes' } }, start + index)))
    const comments = visitsOf(timeline, { author: null, what: 'comments' })
    expect([[...(comments.moments ?? [])], comments.slowly]).toEqual([[2, 3, 6], true])
    expect([...(visitsOf(timeline, { author: null, what: 'restores' }).moments ?? [])]).toEqual([4])
    expect([...(visitsOf(timeline, { author: 'Ben', what: 'comments' }).moments ?? [])]).toEqual([3])
  })

  it('[HISTORY-12] are said in words', () => {
    const section = { key: '1', title: 'The rule', level: 1, from: 0, to: 2 }
    const nameOf = (userId: string) => userId
    expect(filterWords({ author: 'Ana', what: 'everything' }, nameOf)).toBe('Only Ana')
    expect(filterWords({ author: 'Ana', what: section }, nameOf)).toBe('Only Ana, “The rule”')
    expect(filterWords({ author: null, what: 'restores' }, nameOf)).toBe('Only restores')
  })
})
