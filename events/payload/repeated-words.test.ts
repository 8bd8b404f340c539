import { describe, expect, it } from 'vitest'
import { quotingEvents, repeats } from './repeated-words'

describe('[REDACT-9] words that are repeated', () => {
  it.each([
    ['the launch code is 0000', 'launch code', true],
    ['Launch  Code', 'the launch code is 0000', true],
    // A save takes in what was typed in a second, not whole words.
    ['the launch code', 'e laun', true],
    ['Ana', 'my name is Ana', true],
    ['the cat', 'the dog', false],
    ['an', 'an', false],
    ['', 'x', false],
    ['launch', 'lunch', false],
  ])('%j and %j: %s', (text, words, expected) => {
    expect([repeats(text, words), repeats(words, text)]).toEqual([expected, expected])
  })

  it('are found in the quotes of threads and of passages brought back, and not where they were redacted', () => {
    const row = (version: number, type: string, quote: string, more = {}) => ({ version, type, actorId: 'ana', body: { quote }, ...more })
    const rows = [
      row(2, 'thread.opened', 'the launch code'), row(3, 'thread.opened', 'something else'), row(4, 'document.reworked', 'launch codes of old'),
      row(5, 'thread.opened', 'the launch code', { redactedBy: 9 }), row(6, 'comment.added', 'the launch code'), { ...row(7, 'document.reworked', ''), body: null },
    ]
    expect(quotingEvents(rows, 'launch code is').map(({ version, of }) => [version, of])).toEqual([[2, 'thread'], [4, 'passage']])
  })
})
