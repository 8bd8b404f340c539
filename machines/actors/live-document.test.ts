import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { describe, expect, it } from 'vitest'
import { ConfirmedDocument } from '@/events/yjs/confirmed-document'
import { memoryOutbox, type Outbox, type OutboxRecord } from '@/events/device/outbox'
import { MemoryBackend, type MemoryTab } from '@/events/memory-backend.fixture'
import { seededRandom, VirtualClock } from '@/events/virtual-clock.fixture'
import { StoreFault } from '@/events/store'
import { type LiveDocument, type LiveDocumentInput } from './live-document'
import { openDocument } from './open-document'
import { status } from './sync-status'

const stream = '00000000-0000-4000-8000-00000000d0c5'

function world() {
  const clock = new VirtualClock()
  const random = seededRandom(7)
  const backend = new MemoryBackend(clock, random)
  for (const user of ['ana', 'ben', 'carol']) backend.allow(user, 'editor')
  const outboxes = new Map<string, Outbox>()
  const open = (tab: MemoryTab, more: Partial<LiveDocumentInput> = {}) => {
    const outbox = outboxes.get(tab.user) ?? memoryOutbox()
    outboxes.set(tab.user, outbox)
    return openDocument({
      documentId: stream,
      userId: tab.user,
      store: tab.store(),
      channels: tab.channels(),
      outbox,
      clock,
      random,
      schemaVersion: 1,
      ...more,
    })
  }
  return { clock, random, backend, open }
}

/** Types into the first paragraph, making it if there is none. */
function type(live: LiveDocument, text: string, at = Infinity) {
  live.doc.transact(() => {
    let paragraph = live.fragment.get(0)
    if (!(paragraph instanceof Y.XmlElement)) {
      paragraph = new Y.XmlElement('paragraph')
      paragraph.insert(0, [new Y.XmlText()])
      live.fragment.insert(0, [paragraph])
    }
    const line = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null
    if (line instanceof Y.XmlText) line.insert(Math.min(at, line.length), text)
  })
}

const textOf = (live: Pick<LiveDocument, 'fragment'>) => live.fragment.toString().replace(/<\/?paragraph>/g, '')

/** Every label that the status shows from now on, each as often as it appears anew. */
function labelsOf(live: LiveDocument): string[] {
  const labels: string[] = []
  let last: string = status(live.sync.getSnapshot()).label
  live.sync.subscribe((snapshot) => {
    const { label } = status(snapshot)
    if (label !== last) labels.push(label)
    last = label
  })
  return labels
}

/** What a reader who has only the log sees. */
function fromLog(backend: MemoryBackend): ConfirmedDocument {
  const confirmed = new ConfirmedDocument(null)
  for (const row of backend.log(stream)) confirmed.integrate(row)
  return confirmed
}
const logText = (backend: MemoryBackend) =>
  fromLog(backend).doc.getXmlFragment('default').toString().replace(/<\/?paragraph>/g, '')

describe('a live document', () => {
  it('shows a letter to others at once and has it in the log within about a second', async () => {
    const { clock, backend, open } = world()
    const [ana, ben] = [open(backend.tab('ana', '1')), open(backend.tab('ben', '1'))]
    await clock.advance(1_000)
    type(ana, 'h')
    expect(status(ana.sync.getSnapshot()).label).toBe('Saving…')
    await clock.advance(20)
    expect(textOf(ben)).toBe('h')
    expect(backend.log(stream)).toHaveLength(0)
    await clock.advance(1_200)
    expect(logText(backend)).toBe('h')
    expect(status(ana.sync.getSnapshot()).label).toBe('Saved')
  })

  it('[SYNC-1] loses no text when every broadcast is lost', async () => {
    const { clock, backend, open } = world()
    backend.weather.dropBroadcast = 1
    const [ana, ben] = [open(backend.tab('ana', '1')), open(backend.tab('ben', '1'))]
    await clock.advance(1_000)
    type(ana, 'hello')
    await clock.advance(12_000)
    expect(textOf(ben)).toBe('hello')
    expect(backend.happened.dropped).toBeGreaterThan(0)
  })

  it('reads and writes through the log alone when there is no channel', async () => {
    const { clock, backend, open } = world()
    backend.deaf = true
    const [ana, ben] = [open(backend.tab('ana', '1')), open(backend.tab('ben', '1'))]
    type(ana, 'hello')
    await clock.advance(12_000)
    expect(textOf(ben)).toBe('hello')
    expect(status(ana.sync.getSnapshot()).label).toBe('Saved')
  })

  it('[SYNC-7] makes an edit again that was built on text whose author never comes back', async () => {
    const { clock, backend, open } = world()
    const anaTab = backend.tab('ana', '1')
    const [ana, ben] = [open(anaTab), open(backend.tab('ben', '1'))]
    await clock.advance(1_000)
    type(ana, 'abc')
    await clock.advance(20)
    anaTab.setOffline(true)
    let replaced = 0
    ben.onReplaced(() => (replaced += 1))
    type(ben, 'X', 2)
    await clock.advance(2_000)
    expect(status(ben.sync.getSnapshot()).label).toBe('Saving…')
    expect(backend.log(stream)).toHaveLength(0)
    await clock.advance(6_000)
    expect(replaced).toBe(1)
    expect(logText(backend)).toBe('X')
    expect(textOf(ben)).toBe('X')
    expect(status(ben.sync.getSnapshot()).label).toBe('Saved')
    expect(fromLog(backend).flags).toEqual([])

    anaTab.setOffline(false)
    await clock.advance(15_000)
    for (const text of [textOf(ana), textOf(ben), logText(backend)]) {
      expect([...text].sort().join('')).toBe('Xabc')
      expect(text).toContain('abc')
    }
    expect(textOf(ana)).toBe(logText(backend))
    expect(textOf(ben)).toBe(logText(backend))
  })

  it('[SYNC-7] keeps a deletion of text that only later reaches the log', async () => {
    const { clock, backend, open } = world()
    const anaTab = backend.tab('ana', '1')
    const [ana, ben] = [open(anaTab), open(backend.tab('ben', '1'))]
    type(ben, '_')
    await clock.advance(3_000)
    type(ana, 'abc')
    await clock.advance(20)
    anaTab.setOffline(true)
    ben.doc.transact(() => {
      const paragraph = ben.fragment.get(0)
      const line = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null
      if (line instanceof Y.XmlText) line.delete(line.toString().indexOf('b'), 1)
    })
    await clock.advance(10_000)
    expect(logText(backend)).toBe('_')
    anaTab.setOffline(false)
    await clock.advance(15_000)
    expect([...logText(backend)].sort().join('')).toBe('_ac')
    expect(textOf(ana)).toBe(logText(backend))
    expect(textOf(ben)).toBe(logText(backend))
  })

  it('[SYNC-2] [SYNC-3] keeps unsent edits through a crash and sends them from the next tab, once', async () => {
    const { clock, backend, open } = world()
    const outbox = memoryOutbox()
    let box: Awaited<ReturnType<Outbox['open']>> | null = null
    const remembering: Outbox = { ...outbox, open: async (scope) => (box = await outbox.open(scope)) }
    const tab = backend.tab('ana', '1')
    const ana = open(tab, { outbox: remembering })
    await clock.advance(1_000)
    backend.weather.loseAnswer = 1
    type(ana, 'first ')
    await clock.advance(1_000)
    backend.weather.loseAnswer = 0
    type(ana, 'second')
    await clock.advance(20)
    tab.setOffline(true)
    if (box) outbox.crash(box)
    expect(logText(backend)).toBe('first ')

    const again = open(backend.tab('ana', '2'), { outbox })
    await clock.advance(5_000)
    expect(textOf(again)).toBe('first second')
    expect(logText(backend)).toBe('first second')
    expect(new Set(backend.log(stream).map(({ id }) => id)).size).toBe(backend.log(stream).length)
    expect(backend.happened.answersLost).toBeGreaterThan(0)
  })

  it('[SYNC-16] keeps an edit that nobody can place, says so, and sends it should its place turn up', async () => {
    const { clock, backend, open } = world()
    const outbox = memoryOutbox()
    let box: Awaited<ReturnType<Outbox['open']>> | null = null
    const remembering: Outbox = { ...outbox, open: async (scope) => (box = await outbox.open(scope)) }
    const anaTab = backend.tab('ana', '1')
    const ana = open(anaTab)
    const ben = open(backend.tab('ben', '1'), { outbox: remembering })
    await clock.advance(1_000)
    type(ana, 'abc')
    await clock.advance(20)
    anaTab.setOffline(true)
    type(ben, 'X', 2)
    await clock.advance(20)
    if (box) outbox.crash(box)
    ben.sync.stop()

    // The device has lost what the edit was made on.
    const forgetful: Outbox = {
      ...outbox,
      open: async (scope) => {
        const opened = await outbox.open(scope)
        return { ...opened, adopt: async () => (await opened.adopt()).filter(({ kind }) => kind !== 'support') }
      },
    }
    const again = open(backend.tab('ben', '2'), { outbox: forgetful })
    await clock.advance(15_000)
    const shown = status(again.sync.getSnapshot())
    expect(shown).toMatchObject({ label: 'Not saved', action: 'copy' })
    expect(again.unsavedText()).toBe('X')
    expect(backend.log(stream)).toHaveLength(0)
    type(again, 'more')
    await clock.advance(3_000)
    expect(logText(backend)).toBe('more')
    expect(status(again.sync.getSnapshot()).label).toBe('Not saved')

    anaTab.setOffline(false)
    await clock.advance(30_000)
    expect([...logText(backend)].sort().join('')).toBe([...'abcXmore'].sort().join(''))
    expect(logText(backend)).toContain('abXc')
    for (const live of [ana, again]) expect(textOf(live)).toBe(logText(backend))
    expect(status(again.sync.getSnapshot()).label).toBe('Saved')
  })

  it('[SYNC-16] lets go of such an edit once its text is copied', async () => {
    const { clock, backend, open } = world()
    const other = new Y.Doc()
    other.getText('t').insert(0, 'lost')
    const lost = Y.encodeStateVector(other)
    other.clientID = 77
    other.getText('t').insert(2, 'mine')
    const update = Y.encodeStateAsUpdate(other, lost)
    const left: OutboxRecord[] = [{ kind: 'edit', key: '1', update, time: 0 }]
    const outbox = memoryOutbox()
    const crashed = await outbox.open({ userId: 'ana', documentId: stream })
    await crashed.write({ put: left })
    outbox.crash(crashed)
    const ana = open(backend.tab('ana', '1'), { outbox })
    await clock.advance(15_000)
    expect(ana.unsavedText()).toBe('mine')
    ana.forgetStranded()
    expect(status(ana.sync.getSnapshot()).label).toBe('Saved')
    expect(backend.log(stream)).toHaveLength(0)
    await ana.close()
    const next = await outbox.open({ userId: 'ana', documentId: stream })
    expect(await next.adopt()).toEqual([])
  })

  it('[SYNC-8] takes another client id when somebody took its own first', async () => {
    const { clock, backend, open } = world()
    const ana = open(backend.tab('ana', '1'))
    await clock.advance(1_000)
    const foreign = new Y.Doc()
    foreign.clientID = ana.doc.clientID
    foreign.getXmlFragment('default').insert(0, [new Y.XmlElement('evil')])
    backend.append('ben', stream, [
      { id: 'evil', type: 'document.edited', body: {}, update: Y.encodeStateAsUpdate(foreign), clientIds: [foreign.clientID] },
    ])
    type(ana, 'mine')
    await clock.advance(5_000)
    expect(fromLog(backend).doc.getXmlFragment('default').toString()).toBe('<evil></evil><paragraph>mine</paragraph>')
    expect(fromLog(backend).flags).toEqual([])
    expect(ana.fragment.toString()).toBe(fromLog(backend).doc.getXmlFragment('default').toString())
  })

  it('stops writing, keeps the text and says so when the right to write is taken away', async () => {
    const { clock, backend, open } = world()
    const ana = open(backend.tab('ana', '1'))
    await clock.advance(1_000)
    type(ana, 'kept')
    backend.allow('ana', 'viewer')
    await clock.advance(2_000)
    const shown = status(ana.sync.getSnapshot())
    expect(shown.label).toBe('Not saved')
    expect(ana.unsavedText()).toBe('kept')
    ana.setAccess('read')
    expect(status(ana.sync.getSnapshot()).sentence).toContain('no longer edit it')
    expect(status(ana.sync.getSnapshot()).action).toBe('copy')
    backend.allow('ana', 'editor')
    ana.setAccess('write')
    await clock.advance(3_000)
    expect(logText(backend)).toBe('kept')
  })

  it('asks to sign in when the session ends, and sends what was typed after that', async () => {
    const { clock, backend, open } = world()
    const tab = backend.tab('ana', '1')
    const ana = open(tab)
    await clock.advance(1_000)
    tab.signedOut = true
    type(ana, 'late')
    await clock.advance(2_000)
    expect(status(ana.sync.getSnapshot()).action).toBe('sign-in')
    type(ana, 'r')
    tab.signedOut = false
    ana.resume()
    await clock.advance(3_000)
    expect(logText(backend)).toBe('later')
    expect(status(ana.sync.getSnapshot()).label).toBe('Saved')
  })

  it('finds out by itself that its person has signed in again', async () => {
    const { clock, backend, open } = world()
    const tab = backend.tab('ana', '1')
    const ana = open(tab)
    await clock.advance(1_000)
    tab.signedOut = true
    type(ana, 'kept')
    await clock.advance(30_000)
    expect(status(ana.sync.getSnapshot()).action).toBe('sign-in')
    tab.signedOut = false
    await clock.advance(20_000)
    expect(logText(backend)).toBe('kept')
    expect(status(ana.sync.getSnapshot()).label).toBe('Saved')
  })

  it('waits five seconds before it says that it is offline', async () => {
    const { clock, backend, open } = world()
    const tab = backend.tab('ana', '1')
    const ana = open(tab)
    await clock.advance(1_000)
    tab.setOffline(true)
    await clock.advance(4_000)
    expect(status(ana.sync.getSnapshot()).label).toBe('Saved')
    await clock.advance(1_500)
    expect(status(ana.sync.getSnapshot()).label).toBe('Offline')
    tab.setOffline(false)
    await clock.advance(15_000)
    expect(status(ana.sync.getSnapshot()).label).toBe('Saved')
  })

  it('[SYNC-14] says that it is offline, and nothing else, while its channel seems up and nobody answers', async () => {
    const { clock, backend, open } = world()
    const tab = backend.tab('ana', '1')
    const ana = open(tab)
    await clock.advance(1_000)
    const labels = labelsOf(ana)
    tab.offline = true
    type(ana, 'kept')
    await clock.advance(8_000)
    expect(labels).toEqual(['Saving…', 'Offline'])
    await clock.advance(120_000)
    tab.offline = false
    ana.sync.send({ type: 'online' })
    await clock.advance(1_000)
    expect(labels.slice(2).at(-1)).toBe('Saved')
    expect(labels.filter((label) => label === 'Offline')).toHaveLength(1)
    expect(logText(backend)).toBe('kept')
  })

  it('[SYNC-14] believes the browser that there is no network, and the server that there is', async () => {
    const { clock, backend, open } = world()
    const tab = backend.tab('ana', '1')
    const ana = open(tab)
    await clock.advance(1_000)
    const labels = labelsOf(ana)
    ana.sync.send({ type: 'offline' })
    await clock.advance(20_000)
    expect(labels).toEqual([])
    tab.offline = true
    ana.sync.send({ type: 'offline' })
    await clock.advance(4_500)
    expect(labels).toEqual([])
    await clock.advance(1_000)
    expect(labels).toEqual(['Offline'])
  })

  it('[SYNC-14] says "Not saved" while the server answers that it cannot, also where it can be read', async () => {
    const { clock, backend, open } = world()
    const tab = backend.tab('ana', '1')
    const store = tab.store()
    let down = true
    const append: typeof store.append = (...call) => (down ? Promise.reject(new StoreFault('the database is down', 503)) : store.append(...call))
    const ana = open(tab, { store: { ...store, append } })
    await clock.advance(1_000)
    type(ana, 'kept')
    const labels = labelsOf(ana)
    await clock.advance(90_000)
    expect(labels).toEqual(['Not saved'])
    expect(status(ana.sync.getSnapshot())).toMatchObject({ action: 'retry', sentence: expect.stringContaining('kept on this device') })
    expect(ana.unsavedText()).toBe('kept')
    down = false
    ana.sync.send({ type: 'retry' })
    await clock.advance(1_000)
    expect(labels.at(-1)).toBe('Saved')
    expect(logText(backend)).toBe('kept')
  })

  it('writes a paste that is larger than an event in several events', async () => {
    const { clock, backend, open } = world()
    const ana = open(backend.tab('ana', '1'))
    await clock.advance(1_000)
    const paste = Array.from({ length: 60_000 }, (_, index) => `wörd ${index} `).join('')
    type(ana, paste)
    await clock.advance(5_000)
    expect(backend.log(stream).length).toBeGreaterThan(1)
    for (const { update } of backend.log(stream)) expect(update?.length ?? 0).toBeLessThan(512 * 1024)
    expect(logText(backend)).toBe(paste)
  })

  it('[SYNC-13] shows the log again when unlogged text was not what its author logged', async () => {
    const { clock, backend, open } = world()
    const [ana, ben] = [open(backend.tab('ana', '1')), open(backend.tab('ben', '1'))]
    await clock.advance(1_000)
    type(ana, '.')
    await clock.advance(3_000)
    const forged = new Y.Doc()
    Y.applyUpdate(forged, Y.encodeStateAsUpdate(ana.doc))
    const before = Y.encodeStateVector(forged)
    forged.clientID = ana.doc.clientID
    const paragraph = forged.getXmlFragment('default').get(0)
    const line = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null
    if (line instanceof Y.XmlText) line.insert(1, 'EVIL')
    const mallory = backend.tab('carol', '9').channels().subscribe(stream, {})
    await clock.advance(1_000)
    mallory.send('y-supabase-update', { update: Buffer.from(Y.encodeStateAsUpdate(forged, before)).toString('base64'), user: { id: 'x' } })
    await clock.advance(50)
    expect(textOf(ben)).toBe('.EVIL')
    expect(textOf(ana)).toBe('.')
    type(ana, 'real')
    await clock.advance(40_000)
    expect(logText(backend)).toBe('.real')
    expect(textOf(ana)).toBe('.real')
    expect(textOf(ben)).toBe('.real')
  })

  it('[SYNC-11] speaks on the channel for itself only, and not at all for one who may not write', async () => {
    const { clock, backend, open } = world()
    const heard: { event: string; payload: unknown }[] = []
    backend.tab('carol', '9').channels().subscribe(stream, { broadcast: (event, payload) => heard.push({ event, payload }) })
    await clock.advance(1_000)
    const ana = open(backend.tab('ana', '1'))
    const ben = open(backend.tab('ben', '1'), { access: 'read' })
    await clock.advance(1_000)
    type(ben, 'not mine to write')
    ben.awareness.setLocalState({ cursor: 1 })
    await clock.advance(2_000)
    expect(backend.log(stream)).toHaveLength(0)
    expect(heard.filter(({ event }) => event.endsWith('update'))).toEqual([])
    ana.awareness.setLocalState({ cursor: 1 })
    type(ana, 'a')
    await clock.advance(100)
    expect(new Set(heard.map(({ event }) => event))).toEqual(new Set(['y-supabase-update', 'y-supabase-awareness']))
    expect(ben.awareness.getStates().get(ana.doc.clientID)).toEqual({ cursor: 1 })
    expect(ana.awareness.getStates().has(ben.doc.clientID)).toBe(false)
    void ana.close()
    await clock.advance(2_000)
    expect(ben.awareness.getStates().has(ana.doc.clientID)).toBe(false)
  })

  it('[SYNC-8] gets its edits into the log however often somebody takes the client ids it shows', async () => {
    const { clock, backend, open } = world()
    const ana = open(backend.tab('ana', '1'))
    let taken = 0
    const take = (id: number) => {
      const evil = new Y.Doc()
      evil.clientID = id
      evil.getMap('evil').set('a', 1)
      taken += 1
      backend.append('carol', stream, [{ id: `evil ${taken}`, type: 'document.edited', body: {}, update: Y.encodeStateAsUpdate(evil), clientIds: [id] }])
    }
    const takeLater = () => {
      const id = ana.doc.clientID
      clock.after(200, () => taken < 20 && take(id))
    }
    ana.onReplaced(takeLater)
    take(ana.doc.clientID)
    await clock.advance(1_000)
    type(ana, 'mine')
    await clock.advance(10_000)
    expect(taken).toBeGreaterThan(1)
    expect(logText(backend)).toBe('mine')
    expect(status(ana.sync.getSnapshot()).label).toBe('Saved')
  })

  it('[SYNC-13] shows what its own earlier tab wrote, although somebody forged it before it was sent', async () => {
    const { clock, backend, open } = world()
    const outbox = memoryOutbox()
    let box: Awaited<ReturnType<Outbox['open']>> | null = null
    const remembering: Outbox = { ...outbox, open: async (scope) => (box = await outbox.open(scope)) }
    const tab = backend.tab('ana', '1')
    const ana = open(tab, { outbox: remembering })
    await clock.advance(1_000)
    type(ana, '.')
    await clock.advance(3_000)
    const forged = new Y.Doc()
    Y.applyUpdate(forged, Y.encodeStateAsUpdate(ana.doc))
    const before = Y.encodeStateVector(forged)
    forged.clientID = ana.doc.clientID
    const paragraph = forged.getXmlFragment('default').get(0)
    const line = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null
    if (line instanceof Y.XmlText) line.insert(1, 'EVIL')
    tab.setOffline(true)
    type(ana, 'real')
    const mallory = backend.tab('carol', '9').channels().subscribe(stream, {})
    const again = open(backend.tab('ana', '2'), { outbox })
    await clock.advance(1_000)
    mallory.send('y-supabase-update', { update: Buffer.from(Y.encodeStateAsUpdate(forged, before)).toString('base64') })
    await clock.advance(50)
    expect(textOf(again)).toBe('.EVIL')
    if (box) outbox.crash(box)
    await clock.advance(60_000)
    expect(logText(backend)).toBe('.real')
    expect(textOf(again)).toBe('.real')
  })

  it('[SYNC-11] lets nobody else move its own caret, or hold another\'s still for good', async () => {
    const { clock, backend, open } = world()
    const [ana, ben] = [open(backend.tab('ana', '1')), open(backend.tab('ben', '1'))]
    const mallory = backend.tab('carol', '9').channels().subscribe(stream, {})
    await clock.advance(1_000)
    ana.awareness.setLocalState({ cursor: 1 })
    await clock.advance(200)
    for (const at of [1_000, 2 ** 50]) {
      const forged = new Awareness(new Y.Doc())
      forged.clientID = ana.doc.clientID
      forged.setLocalState({ cursor: 'EVIL' })
      forged.meta.set(forged.clientID, { clock: at, lastUpdated: 0 })
      mallory.send('y-supabase-awareness', { update: Buffer.from(encodeAwarenessUpdate(forged, [forged.clientID])).toString('base64') })
      forged.destroy()
      await clock.advance(200)
    }
    expect(ana.awareness.getLocalState()).toEqual({ cursor: 1 })
    ana.awareness.setLocalState({ cursor: 2 })
    await clock.advance(200)
    expect(ben.awareness.getStates().get(ana.doc.clientID)).toEqual({ cursor: 2 })
  })

  it('passes over garbage on the channel', async () => {
    const { clock, backend, open } = world()
    const ana = open(backend.tab('ana', '1'))
    const mallory = backend.tab('carol', '9').channels().subscribe(stream, {})
    await clock.advance(1_000)
    type(ana, 'text')
    for (const update of ['', 'AAAA', '!!!', 'AQGB', 'x'.repeat(5_000)]) mallory.send('y-supabase-update', { update })
    mallory.send('y-supabase-update', null)
    mallory.send('y-supabase-awareness', { update: 'AQGB' })
    mallory.send('log', { stream, version: 10 ** 9, ids: ['x'] })
    await clock.advance(3_000)
    expect(textOf(ana)).toBe('text')
    expect(status(ana.sync.getSnapshot()).label).toBe('Saved')
  })
})
