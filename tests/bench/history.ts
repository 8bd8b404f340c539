import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { encodeEdits } from '@/events/payload'
import { supabaseStore, type Store } from '@/events/store'
import { schemaVersion } from '@/components/editor/schema'
import { launchBrowser } from '../support/browser'
import { signUp, type Person } from '../support/people'
import { startStack } from '../support/stack'
import { readTrace, traceClients, traceEdits, type Trace, type TraceEdit } from '../support/traces'
import { granted } from '../support/workspaces'
import { meet } from '../support/writers'
import { percentile } from './percentile'
import { openSignedIn } from './signed-in-page'

const openings = Number(process.env.ROUNDS ?? 7)
const most = 1500
const perAppend = 100

/** The recording in its own order, cut where the typist changes or a second has passed: what one flush holds. */
function inOrder(edits: TraceEdit[]): TraceEdit[][] {
  const batches: TraceEdit[][] = []
  for (const edit of edits) {
    const batch = batches.at(-1)
    const [first] = batch ?? []
    if (batch && first && first.agent === edit.agent && edit.time - first.time < 1000) batch.push(edit)
    else batches.push([edit])
  }
  return batches
}

async function lay(trace: Trace, people: Person[], documentId: string): Promise<number> {
  const stores: Store[] = people.map(({ client }) => supabaseStore(client))
  const batches = inOrder(traceEdits(trace))
  const bound = new Set<number>()
  for (let at = 0; at < batches.length; ) {
    const agent = batches[at]?.[0]?.agent ?? 0
    let end = at
    while (end < batches.length && end - at < perAppend && batches[end]?.[0]?.agent === agent) end += 1
    const proposals = batches.slice(at, end).map((edits, index) => ({
      id: randomUUID(),
      type: 'document.edited',
      body: {},
      clientTime: new Date(edits[0]?.time ?? 0).toISOString(),
      update: encodeEdits(edits),
      clientIds: bound.has(agent) || index > 0 ? [] : [traceClients[agent] ?? 0],
      schema: schemaVersion,
    }))
    const store = stores[agent]
    if (!store) throw new Error(`Nobody plays agent ${agent}.`)
    granted(await store.append(documentId, null, proposals))
    bound.add(agent)
    at = end
  }
  return batches.length
}

async function benchHistory(trace: Trace): Promise<void> {
  const stack = await startStack()
  const browser = await launchBrowser()
  try {
    const people: Person[] = []
    for (const name of ['Ana', 'Ben', 'Carol']) people.push(await signUp(stack, name))
    const documentId = await meet(people)
    const events = await lay(trace, people, documentId)
    const [ana] = people
    if (!ana) throw new Error('Nobody is there.')
    const page = await openSignedIn(browser, stack, ana, documentId)
    const took: number[] = []
    let said = ''
    for (let round = 0; round < openings; round += 1) {
      const from = performance.now()
      await page.getByRole('button', { name: 'History' }).click()
      const moment = page.getByRole('slider', { name: 'Moment' })
      await moment.waitFor()
      const newest = await moment.getAttribute('aria-valuetext')
      await moment.press('5')
      await page.waitForFunction((before) => document.querySelector('[role=slider]')?.getAttribute('aria-valuetext') !== before, newest)
      took.push(performance.now() - from)
      said = newest ?? ''
      await page.goto(`/d/${documentId}`)
      await page.getByRole('status').filter({ hasText: 'Saved' }).first().waitFor()
    }
    console.log(`${trace.name}: ${trace.txns.length} transactions in ${events} events; the slider says "${said}"`)
    console.log(
      `Click on History to the slider having moved, each on a page just loaded, ms: ` +
        `median ${percentile(took, 0.5).toFixed(0)}, most ${Math.max(...took).toFixed(0)}, first ${took[0]?.toFixed(0)} (${openings} openings; load ${(loadavg()[0] ?? NaN).toFixed(1)})`,
    )
    if (!(percentile(took, 0.5) <= most)) {
      console.error(`The median must be at most ${most} ms.`)
      process.exitCode = 1
    }
  } finally {
    await browser.close()
    await stack.dispose()
  }
}

const trace = readTrace('clownschool')
if (trace) await benchHistory(trace)
else console.log('clownschool: the recording is not here, not measured (PALIMPSEST_TRACES names its folder)')
