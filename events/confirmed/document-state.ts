import * as Y from 'yjs'

/** The document at a version, folded earlier: a Yjs state, and the bindings of its client ids if they are known. */
export type WholeState = { version: number; state: Uint8Array; since?: never; owners?: [client: number, userId: string][] }

/** The same in parts: an earlier state, and the edits `since` then in order up to the version. */
export type DocumentState = Omit<WholeState, 'since'> & { since?: Uint8Array[] }

/** Whether a value that was stored is the `owners` of a state. */
export function isBindings(value: unknown): value is [client: number, userId: string][] {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && typeof pair[0] === 'number' && typeof pair[1] === 'string')
}

/** Brings a state that was folded earlier into a document that is empty yet. */
export function applyState(doc: Y.Doc, { state, since = [] }: Pick<DocumentState, 'state' | 'since'>): void {
  // What is deleted in a state has lost its content already: looking for it again takes a fifth of the time.
  doc.gc = false
  Y.applyUpdate(doc, state)
  doc.gc = true
  if (since.length === 0) return
  doc.transact(() => {
    for (const update of since) Y.applyUpdate(doc, update)
  })
}
