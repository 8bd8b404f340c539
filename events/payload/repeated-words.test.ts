import { describe, expect, it } from 'vitest'
import { repeats } from './repeated-words'

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
})
