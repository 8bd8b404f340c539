import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { broughtState } from '@/components/document/brought-state'
import { packState } from './packed-state'

describe('the state that a page brings', () => {
  it('comes out as it was put in, whole and in its order [EDIT-14]', async () => {
    const state = new Uint8Array(randomBytes(300_000))
    const since = [new Uint8Array([1, 2, 3]), new Uint8Array([]), new Uint8Array(randomBytes(500))]
    const owners: [number, string][] = [[7, 'Ana']]

    expect(await broughtState({ version: 9, owners, state: packState({ state, since }) })).toEqual({ version: 9, state, since, owners })
  })
})
