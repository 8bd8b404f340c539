import type { DocumentRow } from '@/events/projections'

/** A document as the server rendered it: its row, its text as HTML, and the state a live editor begins from. */
export type DocumentSnapshot = {
  row: DocumentRow
  html: string
  /** The Yjs state at `version`, as base64. */
  state: string
  version: number
  owners: [client: number, userId: string][]
  /** The highest document schema in the log. */
  schema: number
  /** Everybody who has written in it. */
  writers: string[]
}
