import type { DocumentRow } from '@/events/projections'

/** The Yjs state that an editor begins from, deflated, and the edits since then; both as base64. */
export type PackedState = { state: string; since: string[] }

/** A document as the server rendered it: its row, its text as HTML, and the state a live editor begins from. */
export type DocumentSnapshot = {
  row: DocumentRow
  html: string
  /** Comes behind the text, which can be read without it. */
  state: Promise<PackedState>
  version: number
  owners: [client: number, userId: string][]
  /** The highest document schema in the log. */
  schema: number
  /** Everybody who has written in it. */
  writers: string[]
}
