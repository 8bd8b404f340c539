import { expect, it } from 'vitest'
import { authoredRows } from '../replay/authored-rows.fixture'
import { redactableWords } from './redactable-words'

it('[REDACT-2] tells which words a redaction would destroy, of texts and of bodies', () => {
  const [created, typed] = authoredRows([{ who: 0, at: 0, text: 'a secret', erase: 0, sync: true }])
  if (!created || !typed) throw new Error('no rows')
  expect(redactableWords(typed)).toBe('a secret')
  expect(redactableWords({ ...created, body: { thread: 't', text: 'Said' } })).toBe('Said')
  expect(redactableWords({ ...created, body: {} })).toBe('')
  expect(redactableWords({ ...typed, redactedBy: 9 })).toBe('')
  expect(redactableWords({ ...typed, update: Uint8Array.of(0, 0, 9, 9) })).toBe('')
})
