import { expect, it, vi } from 'vitest'

const kept: string[] = []
vi.mock('@/supabase/server', () => ({ serviceClient: () => ({ rpc: async () => ({ data: ['one', 'broken', 'two', 'gone', 'three'], error: null, status: 200 }) }) }))
vi.mock('../d/[document]/upkeep', () => ({
  keepUp: async (document: string) => {
    if (document === 'broken' || document === 'gone') throw new Error(document)
    kept.push(document)
  },
}))
const { keepUpMarked } = await import('./rounds')

it('[SEGMENT-6] a document that cannot be kept up holds none of the others up, and is told', async () => {
  const fault = await keepUpMarked().catch((error: unknown) => error)
  expect(kept).toEqual(['one', 'two', 'three'])
  expect(fault instanceof AggregateError && fault.errors.map(String)).toEqual(['Error: broken', 'Error: gone'])
})
