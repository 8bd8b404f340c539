import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { indexedDbOutbox } from './outbox-store'
import { type OutboxRecord } from './outbox'
import { leaseLocks, type TabLocks } from './tab-locks'
import { VirtualClock } from '../virtual-clock.fixture'

/** Locks as the tabs of one browser share them; a crashed tab's are free. */
function browser() {
  const held = new Map<string, string>()
  const locksOf = (tab: string): TabLocks => ({
    async hold(name) {
      if (held.has(name)) return null
      held.set(name, tab)
      return () => held.delete(name)
    },
  })
  const crash = (tab: string) => {
    for (const [name, holder] of held) if (holder === tab) held.delete(name)
  }
  return { locksOf, crash }
}

let databases = 0
const scope = { userId: 'ana', documentId: 'notes' }
const edit = (key: string): OutboxRecord => ({ kind: 'edit', key, update: new Uint8Array([1, 2, 3]), time: 5 })
const event: OutboxRecord = {
  kind: 'event',
  key: '2',
  proposal: { id: 'e', type: 'document.edited', body: {}, update: new Uint8Array([0, 0]), clientIds: [4] },
  edits: 1,
}

function tabs() {
  databases += 1
  const name = `outbox-${databases}`
  const { locksOf, crash } = browser()
  return { crash, tab: (tab: string) => indexedDbOutbox({ tab, locks: locksOf(tab), name }) }
}

describe('the outbox on the device', () => {
  it("[SYNC-2] gives a dead tab's records to the next one, in order and byte for byte", async () => {
    const { crash, tab } = tabs()
    const first = await tab('1').open(scope)
    await first.write({ put: [edit('1'), event, edit('3')] })
    await first.write({ remove: ['1'] })
    crash('1')
    const second = await tab('2').open(scope)
    expect(await second.adopt()).toEqual([event, edit('3')])
    expect(await second.adopt()).toEqual([])
    crash('2')
    expect(await (await tab('3').open(scope)).adopt()).toEqual([event, edit('3')])
  })

  it("[SYNC-2] leaves a living tab's records alone", async () => {
    const { tab } = tabs()
    const first = await tab('1').open(scope)
    await first.write({ put: [edit('1')] })
    const second = await tab('2').open(scope)
    expect(await second.adopt()).toEqual([])
    await first.close()
    expect(await second.adopt()).toEqual([edit('1')])
  })

  it('gives them to one of two tabs that ask at once', async () => {
    const { crash, tab } = tabs()
    await (await tab('1').open(scope)).write({ put: [edit('1'), edit('2')] })
    crash('1')
    const [second, third] = await Promise.all([tab('2').open(scope), tab('3').open(scope)])
    const adopted = await Promise.all([second.adopt(), third.adopt()])
    expect(adopted.flat()).toHaveLength(2)
  })

  it("keeps another person's and another document's records apart", async () => {
    const { crash, tab } = tabs()
    await (await tab('1').open(scope)).write({ put: [edit('1')] })
    crash('1')
    expect(await (await tab('2').open({ ...scope, userId: 'ben' })).adopt()).toEqual([])
    expect(await (await tab('3').open({ ...scope, documentId: 'plan' })).adopt()).toEqual([])
  })
})

describe('leases', () => {
  it('hold as long as their tab renews them and run out when it dies', async () => {
    const stored = new Map<string, string>()
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    }
    const [alive, dying] = [new VirtualClock(), new VirtualClock()]
    expect(await leaseLocks(storage, dying).hold('tab')).not.toBeNull()
    await alive.advance(10_000)
    await dying.advance(10_000)
    expect(await leaseLocks(storage, alive).hold('tab')).toBeNull()
    await alive.advance(20_000)
    const release = await leaseLocks(storage, alive).hold('tab')
    expect(release).not.toBeNull()
    release?.()
    expect(stored.size).toBe(0)
  })

  it('of a dead tab run out also where somebody has set the clock back since', async () => {
    const stored = new Map<string, string>()
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    }
    const [alive, dying] = [new VirtualClock(), new VirtualClock()]
    expect(await leaseLocks(storage, dying).hold('tab')).not.toBeNull()
    alive.set(-86_400_000)
    await alive.advance(20_000)
    expect(await leaseLocks(storage, alive).hold('tab')).not.toBeNull()
  })
})
