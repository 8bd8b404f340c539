import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { pageAt } from '@/events/document-text'
import { stream } from '@/events/rows.fixture'
import { openTimeline } from '@/events/timeline'
import { notAtHand, paragraphText, readTrace, traceClients, traceEdits } from '../support/traces'

const trace = readTrace('clownschool')
const people = ['Ana', 'Ben', 'Carol']

/** The agent of every character of the final text, told from the Yjs client that holds it. */
function charactersByClient(updates: Uint8Array[]): number[] {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  const agents: number[] = []
  for (let item = paragraphText(doc)._start; item; item = item.right) {
    const agent = traceClients.indexOf(item.id.client)
    if (!item.deleted && item.content instanceof Y.ContentString) agents.push(...Array.from(item.content.str, () => agent))
  }
  return agents
}

describe('replay of a recorded session of three', () => {
  if (trace === null) {
    it('has no clownschool at hand, so its replay did not run', () => notAtHand('clownschool'))
    return
  }
  it('ends in the recorded text, each character attributed to the one who typed it [REPLAY-2]', { timeout: 60_000 }, () => {
    const edits = traceEdits(trace).map(({ agent, time, update }) => ({ agent, time, update, actorId: people[agent] ?? '' }))
    // One event an edit keeps the recorded order of merging, whatever the flushes do.
    const timeline = openTimeline(stream('Clown school', edits.map((edit) => [edit])))
    expect(timeline.flags).toEqual([])
    const { text, authors } = pageAt(timeline, timeline.length - 1)
    expect(text).toBe(trace.endContent)
    const byCharacter = authors.map(({ length, author }) => (timeline.authors[author] ?? '?').slice(0, 1).repeat(length)).join('')
    const agents = charactersByClient(edits.map(({ update }) => update))
    expect(byCharacter).toBe(agents.map((agent) => (people[agent] ?? '').slice(0, 1)).join(''))
  })
})
