import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { insisted, onPartGone } from './insisted'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Asks for a part while it cannot be had; answers how often it was asked for, and how often somebody was told that it is gone. */
async function asking(serverAnswers: boolean) {
  vi.stubGlobal('fetch', () => (serverAnswers ? Promise.resolve({ ok: true }) : Promise.reject(new TypeError('no network'))))
  let there = false
  let asked = 0
  let told = 0
  const stop = onPartGone(() => (told += 1))
  const part = insisted(async () => {
    asked += 1
    if (!there) throw new Error('it cannot be had')
    return 'the part'
  })
  await vi.advanceTimersByTimeAsync(14_000)
  const meanwhile = { asked, told }
  there = true
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await part).toBe('the part')
  stop()
  return meanwhile
}

test('[OFFLINE-5] a part is asked for until it comes, and nobody is told that it is gone while there is no network', async () => {
  expect(await asking(false)).toEqual({ asked: 5, told: 0 })
})

test('[OFFLINE-5] a part that a server which answers does not have is told of, once, and asked for all the same', async () => {
  expect(await asking(true)).toEqual({ asked: 5, told: 1 })
})
