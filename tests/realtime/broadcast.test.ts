import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joined, nextOf } from './channels'
import { type Database, type Service, startDatabase, startService } from './service'

describe('a broadcast', () => {
  let database: Database
  let service: Service
  beforeAll(async () => {
    database = await startDatabase()
    service = await startService(database)
    await service.sql`create policy everyone_reads on realtime.messages for select to authenticated using (realtime.topic() like 'open:%')`
    await service.sql`create policy everyone_writes on realtime.messages for insert to authenticated with check (realtime.topic() like 'open:%')`
  })
  afterAll(async () => {
    await service?.stop()
    await database?.stop()
  })

  it('reaches the others on a private channel, and is acknowledged', async () => {
    const ana = await service.person()
    const ben = await service.person()
    const options = { config: { private: true, broadcast: { ack: true } } }
    const hers = await joined(ana.client.channel('open:1', options))
    const his = ben.client.channel('open:1', options)
    const heard = nextOf(his, 'stroke')
    await joined(his)
    expect(await hers.send({ type: 'broadcast', event: 'stroke', payload: { letter: 'a' } })).toBe('ok')
    expect(await heard).toMatchObject({ event: 'stroke', payload: { letter: 'a' } })
  })
})
