import * as Y from 'yjs'
import { expect, it } from 'vitest'
import { ConfirmedDocument } from '@/events/confirmed/confirmed-document'
import { memoryOutbox } from '@/events/device/outbox'
import { MemoryBackend } from '@/events/memory-backend.fixture'
import { seededRandom, VirtualClock } from '@/events/virtual-clock.fixture'
import { documentOf, letGo, readUnsent } from './unsent-text'

const scope = { userId: 'ana', documentId: '00000000-0000-4000-8000-00000000d0c7' }
const random = seededRandom(3)

/** What a tab that has died left: two letters, and a record that nobody can read. */
async function left() {
  const outbox = memoryOutbox()
  const box = await outbox.open(scope)
  const doc = new Y.Doc()
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  const line = new Y.XmlText()
  doc.getXmlFragment('default').insert(0, [line])
  line.insert(0, 'a')
  line.insert(1, 'b')
  await box.write({ put: updates.map((update, index) => ({ kind: 'edit', key: String(index), update, time: index })) })
  await box.write({ put: [{ kind: 'broken', key: 'x', found: { update: new TextEncoder().encode('\u0000 and remains \u0001') } }] })
  return { outbox, box }
}

it('[OFFLINE-11] is read whoever keeps it, and stays theirs', async () => {
  const { outbox } = await left()
  expect(await readUnsent(outbox, scope)).toEqual({ text: 'ab\nand remains', changes: 4 })
  expect(await readUnsent(outbox, scope)).not.toBeNull()
  expect(await readUnsent(outbox, { ...scope, documentId: 'another' })).toBeNull()
})

it('[OFFLINE-12] is nobody else’s', async () => {
  const { outbox } = await left()
  expect(await readUnsent(outbox, { ...scope, userId: 'ben' })).toBeNull()
})

it('[OFFLINE-11] is let go of as soon as who keeps it gives it up, and not before', async () => {
  const { outbox, box } = await left()
  const clock = new VirtualClock()
  const going = letGo(outbox, scope, clock, 'remove')
  await clock.advance(1_000)
  expect(await outbox.documents('ana')).toHaveLength(1)
  await box.close()
  await clock.advance(1_000)
  await going
  expect(await outbox.documents('ana')).toEqual([])
})

it('[OFFLINE-11] begins a document of any length, a paragraph for each line', async () => {
  const clock = new VirtualClock()
  const backend = new MemoryBackend(clock, random)
  backend.allow('ana', 'editor')
  const lines = ['First', '', 'x'.repeat(700_000), 'Last 😀']
  const [created, ...requests] = documentOf(lines.join('\n'), { workspaceId: 'w', title: 'Rescued', random, clock, schema: 1 })
  expect(created).toMatchObject([{ type: 'document.created', body: { workspaceId: 'w', title: 'Rescued' } }])
  for (const proposals of requests) {
    for (const { update } of proposals) expect(update?.length).toBeLessThan(512 * 1024)
    backend.append('ana', scope.documentId, proposals)
  }
  const confirmed = new ConfirmedDocument(null)
  for (const row of backend.log(scope.documentId)) confirmed.integrate(row)
  expect(confirmed.flags).toEqual([])
  expect(confirmed.doc.getXmlFragment('default').toArray().map((node) => node.toString().replace(/<[^>]+>/g, ''))).toEqual(lines)
})
