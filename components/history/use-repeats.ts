'use client'

import { useEffect, useState } from 'react'
import { type Rows, type DocumentRow, documentById, forksOf } from '../../events/projections'
import { quotingEvents, type Quoting } from '../../events/payload/repeated-words'
import { redactableWords } from '../../events/payload/redactable-words'
import { type Store } from '../../events/store'
import { failureWords, reportUnexpected } from '../failure-words'

/** A document that holds the words too: a fork that was made after them, or the one they were brought from. */
export type Copy = { row: DocumentRow; kind: 'fork' | 'source' }

/** What an edit says, and where else that is said: null while it is read. */
export type Repeats = { words: string; quoting: readonly Quoting[]; copies: readonly Copy[] }

const furthest = 8

type Input = { documentId: string; version: number; store: Pick<Store, 'read'>; rows: Rows | null }

/** Reads the words of one event and looks for what repeats them: quotes in the same document, and copies of it that this reader may see. */
export function useRepeats({ documentId, version, store, rows }: Input): { repeats: Repeats | null; failed: string | null } {
  const [repeats, setRepeats] = useState<Repeats | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  useEffect(() => {
    if (rows === null) return
    let wanted = true
    const read = async () => {
      const [own, ...later] = await store.read(documentId, version - 1)
      const words = own ? redactableWords(own) : ''
      const copies = words === '' ? [] : await copiesOf(rows, documentId, version, own?.body ?? null)
      if (wanted) setRepeats({ words, quoting: quotingEvents(later, words), copies })
    }
    read().catch((fault: unknown) => {
      reportUnexpected(fault)
      if (wanted) setFailed(failureWords(fault, 'Nothing was changed', navigator.onLine))
    })
    return () => {
      wanted = false
    }
  }, [documentId, version, store, rows])
  return { repeats, failed }
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
