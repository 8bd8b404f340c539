'use client'

import { useEffect, useState } from 'react'
import { redactableWords } from '../../events/payload/redactable-words'
import { RepeatSearch, type Repeating } from '../../events/payload/repeat-search'
import { type Rows, type DocumentRow, documentById, forksOf } from '../../events/projections'
import { type Store } from '../../events/store'
import { failureWords, reportUnexpected } from '../failure-words'

/** A document that holds the words too: a fork that was made after them, or the one they were brought from. */
export type Copy = { row: DocumentRow; kind: 'fork' | 'source' }

/** Where else the words of an edit stand: other events of the document, and other documents. */
export type Repeats = { repeating: readonly Repeating[]; copies: readonly Copy[] }

/** What is known so far of an edit's words: null while they are read; `searched` of `newest` events were looked through for what repeats them. */
export type Known = { words: string | null; repeats: Repeats | null; searched: number; newest: number; failed: string | null }

const unread: Known = { words: null, repeats: null, searched: 0, newest: 0, failed: null }
const page = 1000
/** Milliseconds of work before the page has its turn again. */
const slice = 12
const furthest = 8

type Input = { documentId: string; version: number; store: Pick<Store, 'read'>; rows: Rows | null }

/** Reads the words of one event, and looks through the whole history and this reader's documents for what repeats them. */
export function useRepeats({ documentId, version, store, rows }: Input): Known {
  const [{ of, ...known }, setKnown] = useState({ of: version, ...unread })
  useEffect(() => {
    if (rows === null) return
    let wanted = true
    const learn = (more: Partial<Known>) => wanted && setKnown((before) => ({ ...(before.of === version ? before : unread), ...more, of: version }))
    const read = async () => {
      const [own] = await store.read(documentId, version - 1, 1)
      const words = own ? redactableWords(own) : ''
      if (!own || words === '') return learn({ words, repeats: { repeating: [], copies: [] } })
      learn({ words })
      const newest = (await documentById(rows, documentId))?.version ?? version
      const search = new RepeatSearch(own)
      for (let [after, more] = [0, true]; more && wanted; ) {
        const events = await store.read(documentId, after, page)
        let end = performance.now() + slice
        for (const event of events) {
          search.take(event)
          if (performance.now() < end) continue
          await new Promise((go) => setTimeout(go))
          if (!wanted) return
          end = performance.now() + slice
        }
        after = events.at(-1)?.version ?? after
        more = events.length === page
        if (more) learn({ searched: after, newest: Math.max(newest, after) })
      }
      const copies = await copiesOf(rows, documentId, version, own.body)
      learn({ repeats: { repeating: search.results(), copies } })
    }
    read().catch((fault: unknown) => {
      reportUnexpected(fault)
      learn({ failed: failureWords(fault, 'Nothing was changed', navigator.onLine) })
    })
    return () => {
      wanted = false
    }
  }, [documentId, version, store, rows])
  return of === version ? known : unread
}

async function copiesOf(rows: Rows, documentId: string, version: number, body: unknown): Promise<Copy[]> {
  const source = typeof body === 'object' && body !== null && 'document' in body && typeof body.document === 'string' ? await documentById(rows, body.document) : null
  const copies: Copy[] = source ? [{ row: source, kind: 'source' }] : []
  const seen = new Set([documentId, ...(source ? [source.id] : [])])
  // A fork of a fork has them whenever that had them, and it had them from its beginning.
  let made = (await forksOf(rows, [documentId])).filter(({ forkedAt }) => (forkedAt ?? 0) >= version)
  for (let step = 0; step < furthest && made.length > 0; step += 1) {
    const fresh = made.filter(({ id }) => !seen.has(id))
    for (const row of fresh) {
      seen.add(row.id)
      copies.push({ row, kind: 'fork' })
    }
    made = await forksOf(rows, fresh.map(({ id }) => id))
  }
  return copies
}
