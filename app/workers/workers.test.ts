import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { runIn, startWorkers } from './workers'

it('[START-22] a server that was not built says so, and does the same work where it is asked for', async () => {
  const client = createClient('http://127.0.0.1:1', 'key', { realtime: { transport: WebSocket as never } })
  const told: unknown[] = []
  const spies = [vi.spyOn(process, 'cwd').mockReturnValue(mkdtempSync(join(tmpdir(), 'palimpsest-unbuilt-'))), vi.spyOn(console, 'error').mockImplementation((line) => void told.push(line))]
  try {
    startWorkers()
    expect(told).toEqual([expect.stringMatching(/server-worker\.cjs is missing/)])
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  expect(await runIn('heavy', 'tombstone', { update: null, start: 0 }, { client, service: true, owner: 'ana' })).toEqual(Uint8Array.of(0, 0, 4))
})
