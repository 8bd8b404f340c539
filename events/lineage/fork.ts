import * as Y from 'yjs'
import type { AdmissionRow } from '../confirmed/admission'
import { carriedEmpty, carry, type Carried } from './carry'
import { ConfirmedDocument } from '../confirmed/confirmed-document'

function folded(rows: readonly AdmissionRow[]): ConfirmedDocument {
  const fold = new ConfirmedDocument(null)
  for (const row of rows) fold.integrate(row)
  return fold
}

/** What a fork begins with: the state that a document's rows come to, as the updates of events to be appended in this order. `source` is its id. */
export function forkOf(rows: readonly AdmissionRow[], source: string): Carried[] {
  const { doc } = folded(rows)
  return doc.store.clients.size === 0 ? [carriedEmpty(source)] : carry(Y.encodeStateAsUpdate(doc), source)
}

/**
 * What one document has more than another that shares its beginning, as the updates that bring it there: both then hold
 * what all have written in either, as if they had written in one document at the same time. Empty where there is nothing.
 */
export function mergeOf(from: readonly AdmissionRow[], into: readonly AdmissionRow[], source: string): Carried[] {
  const [there, here] = [folded(from), folded(into)]
  const before = Y.encodeStateAsUpdate(here.doc)
  const brought = Y.encodeStateAsUpdate(there.doc, Y.encodeStateVector(here.doc))
  Y.applyUpdate(here.doc, brought)
  const same = Y.encodeStateAsUpdate(here.doc)
  if (same.length === before.length && same.every((byte, index) => byte === before[index])) return []
  return carry(brought, source)
}
