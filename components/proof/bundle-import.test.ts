import { beforeAll, describe, expect, it } from 'vitest'
import { sealed, unsealed } from '../../events/proof/chain.fixture'
import type { Json, Proposal, Ruled } from '../../events/envelope'
import { readCarried } from '../../events/payload/carried-payload'
import { openTimeline } from '../../events/replay/timeline'
import { bundleOf, history } from './bundle.fixture'
import { type CheckedBundle, checkBundle } from './bundle-check'
import { importProposals } from './bundle-import'
import { finalTexts } from './final-text'
import { importedWords } from './imported'

let checked: CheckedBundle
let empty: CheckedBundle
beforeAll(async () => {
  const read = async (rows: Ruled[]) => checkBundle(await bundleOf(rows), () => undefined)
  checked = await read(await history(60))
  empty = await read(await history(0))
})

function proposed(from: CheckedBundle): Proposal[][] {
  let made = 0
  const newId = () => unsealed((made += 1)).id
  return importProposals({ checked: from, file: 'cd'.repeat(32), workspaceId: unsealed(1).workspaceId ?? '', newId, now: '2026-11-22T09:00:00.000Z' })
}

/** The rows that the database makes of an import by Ana. */
function recorded(appends: Proposal[][]): Promise<Ruled[]> {
  return sealed(
    appends.flat().map(({ type, body, update = null, clientIds = [] }, index) =>
      unsealed(index + 1, { type, bodyText: JSON.stringify(body), update, clientIds, actorId: unsealed(1).actorId }),
    ),
  )
}

const bodyOf = (appends: Proposal[][]): { [key: string]: Json } => {
  const body = appends.flat()[1]?.body
  if (!body || typeof body !== 'object' || Array.isArray(body)) throw new Error('nothing is imported')
  return body
}

describe('the import of a bundle', () => {
  it('[IMPORT-2] begins a document that reads as the bundle does, by new events alone', async () => {
    const appends = proposed(checked)
    expect(appends.flat().map(({ type }) => type)).toEqual(['document.created', 'document.imported'])
    const timeline = openTimeline(await recorded(appends))
    expect(timeline.flags).toEqual([])
    expect(finalTexts(timeline)).toEqual(finalTexts(checked.timeline))
    expect(readCarried(appends.flat()[1]?.update ?? new Uint8Array())?.source).toBe(checked.bundle.manifest.document.id)
  })

  it('[IMPORT-2] of a document without text begins one that says where it comes from', async () => {
    const timeline = openTimeline(await recorded(proposed(empty)))
    expect(timeline.flags).toEqual([])
    expect(finalTexts(timeline)).toEqual(finalTexts(empty.timeline))
    expect(importedWords(timeline.marks, timeline.length - 1)).toContain('Imported from')
  })

  it('[IMPORT-3] chains on: it names the file, its document, head and number of events', () => {
    const { manifest } = checked.bundle
    expect(bodyOf(proposed(checked))).toMatchObject({
      document: manifest.document.id,
      version: 61,
      head: manifest.head.hash,
      bundle: 'cd'.repeat(32),
      events: 61,
    })
  })

  it('[IMPORT-3] keeps its authors as names, and under which ids they wrote', async () => {
    expect(bodyOf(proposed(checked)).authors).toEqual([
      { name: 'Ana <b>Marić</b>', clients: [7] },
      { name: 'Ben Okafor', clients: [9] },
    ])
    const { marks } = openTimeline(await recorded(proposed(checked)))
    expect(importedWords(marks, 0)).toBeNull()
    expect(importedWords(marks, 1)).toBe(
      'Imported from “Plans </script> & “more””, exported by Ana Marić on 2026-11-21. Written there by Ana <b>Marić</b> and Ben Okafor.',
    )
  })
})
