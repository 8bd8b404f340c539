import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { broughtState } from '@/components/document/brought-state'
import { limits } from '@/events/limits'
import { encodeEdits } from '@/events/payload/payload'
import { loadOf } from '@/events/payload/payload-load'
import { readSnapshot } from '@/events/snapshot'
import { supabaseStore } from '@/events/store'
import { bombEvent, bombs, layBombs } from '../support/hostile'
import { pageAs } from '../support/pages'
import { type Person, service, signUp } from '../support/people'
import { type Stack, startStack } from '../support/stack'
import { granted } from '../support/workspaces'
import { meet } from '../support/writers'

let stack: Stack
let mallory: Person
let ana: Person
/** More than a page is ever to have, HTML and data together. */
const largestPage = 3_000_000

beforeAll(async () => {
  stack = await startStack()
  ;[mallory, ana] = await Promise.all([signUp(stack, 'Mallory'), signUp(stack, 'Ana')])
}, 300_000)
afterAll(() => stack.dispose())

/** What of the page's words is of interest, for an assertion that need not print all of them. */
const tells = (html: string) => html.includes('A change made this document too large to open.')
const hostile = bombs(41)

const load = async (document: string) => (await service(stack).rpc('read_load', { stream: document })).data as { bytes: number; stoppedAt: number | null; measuredAt: number | null }

test('[LOG-52] forty edits that unfold a thousandfold are refused before they come to what a document may hold', async () => {
  const document = await meet([mallory])
  const store = supabaseStore(mallory.client)
  const { client, payloads } = hostile
  granted(await store.append(document, null, [bombEvent(payloads[0] ?? new Uint8Array(), [client])]))
  let taken = 0
  for (const update of payloads.slice(1)) {
    const answer = await store.append(document, null, [bombEvent(update)])
    if (answer.ok) taken += 1
    else expect(answer.refusal).toEqual({ name: 'too-large', detail: `limit document_bytes: ${limits.document_bytes}` })
  }
  expect(taken).toBe(Math.floor(limits.document_bytes / loadOf(payloads[1] ?? new Uint8Array()).bytes))
  const page = await (await pageAs(mallory))(`${stack.url}/d/${document}`)
  expect(page.status).toBe(200)
  expect((await page.arrayBuffer()).byteLength).toBeLessThan(largestPage)
})

test('[LOG-56] [START-20] a document from before there were limits is folded as far as it goes, beside the thread that answers, once', async () => {
  const [document, own] = [await meet([mallory]), await meet([ana])]
  const store = supabaseStore(mallory.client)
  await layBombs(stack.dataDir, store, document, { ...hostile, payloads: hostile.payloads.slice(0, 16) })
  const [asMallory, asAna] = await Promise.all([pageAs(mallory), pageAs(ana)])
  let ended = false
  const opening = asMallory(`${stack.url}/d/${document}`).then((answer) => answer.text()).finally(() => (ended = true))
  let meanwhile = 0
  while (!ended) {
    expect((await asAna(`${stack.url}/d/${own}`)).status).toBe(200)
    if (!ended) meanwhile += 1
  }
  expect(meanwhile).toBeGreaterThan(0)
  const html = await opening
  expect(html.length).toBeLessThan(largestPage)
  if (!tells(html)) console.log(stack.output().slice(-3_000))
  expect(tells(html)).toBe(true)
  const { stoppedAt } = await load(document)
  const kept = await readSnapshot(service(stack), document)
  expect(kept?.version).toBe(stoppedAt)
  expect(kept?.state.length).toBeLessThan(limits.document_bytes)
  expect(await supabaseStore(mallory.client).append(document, null, [bombEvent(encodeEdits([{ update: Y.encodeStateAsUpdate(new Y.Doc({ gc: true })), time: 0 }]))])).toMatchObject({ ok: true })
  const doc = new Y.Doc()
  doc.getText('t').insert(0, 'more')
  expect(await store.append(document, null, [bombEvent(Y.encodeStateAsUpdate(doc), [doc.clientID])])).toMatchObject({ refusal: { name: 'too-large' } })
  // Whoever comes later reads what was remembered, and nothing of what is behind it.
  const before = await load(document)
  expect(tells(await (await asMallory(`${stack.url}/d/${document}`)).text())).toBe(true)
  expect(await load(document)).toEqual(before)

  const cut = await asMallory(`${stack.url}/d/${document}/cut`, { method: 'POST' })
  expect(cut.status).toBe(200)
  expect((await load(document)).stoppedAt).toBeNull()
  const after = await asMallory(`${stack.url}/d/${document}`)
  expect([after.status, tells(await after.text())]).toEqual([200, false])
})

test('[LOG-57] a large text comes by its beginning, and its state apart from the page', async () => {
  const document = await meet([mallory])
  const doc = new Y.Doc()
  const block = new Y.XmlElement('paragraph')
  const text = new Y.XmlText()
  const letters = randomBytes(1_600_000).toString('hex')
  const made: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => made.push(update))
  doc.getXmlFragment('default').insert(0, [block])
  block.insert(0, [text])
  for (let at = 0; at < letters.length; at += 400_000) text.insert(at, letters.slice(at, at + 400_000))
  const store = supabaseStore(mallory.client)
  for (const [index, update] of made.entries()) granted(await store.append(document, null, [bombEvent(encodeEdits([{ update, time: 0 }]), index === 0 ? [doc.clientID] : [])]))
  const fetchAs = await pageAs(mallory)
  const html = await (await fetchAs(`${stack.url}/d/${document}`)).text()
  expect([html.includes(letters.slice(0, 1_000)), html.includes(letters.slice(-1_000))]).toEqual([true, false])
  expect(html.length).toBeLessThan(largestPage)
  const before = globalThis.fetch
  globalThis.fetch = (input, init) => fetchAs(`${stack.url}${String(input)}`, init)
  try {
    const brought = await broughtState({ version: 0, owners: [], state: Promise.resolve(null) }, document)
    const opened = new Y.Doc()
    Y.applyUpdate(opened, brought.state)
    for (const update of brought.since ?? []) Y.applyUpdate(opened, update)
    expect(opened.getXmlFragment('default').toString() === doc.getXmlFragment('default').toString()).toBe(true)
    expect(brought.owners).toEqual([[doc.clientID, mallory.user.id]])
  } finally {
    globalThis.fetch = before
  }
  const stranger = await (await pageAs(ana))(`${stack.url}/d/${document}/state`)
  expect(stranger.status).toBe(404)
})
