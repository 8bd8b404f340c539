import { type AdmissionRow } from '@/events/confirmed/admission'
import { ConfirmedDocument, UnknownOwner, type AcceptedEdit } from '@/events/confirmed/confirmed-document'
import { type DocumentState } from '@/events/confirmed/document-state'
import { type Ruled } from '@/events/envelope'
import { type Store } from '@/events/store'
import { bringsTombstone } from '@/events/payload/tombstone-payload'

/** What one reading brought: the rows, the edits in them, and whether the fold had to begin anew. */
export type Reading = { rows: Ruled[]; accepted: AcceptedEdit[]; refolded: boolean }

/** Keeps the confirmed document at the head of its log. */
export class LogReader {
  readonly confirmed: ConfirmedDocument
  private readonly stream: string
  private readonly store: Pick<Store, 'read'>
  private readonly initial: DocumentState | null
  private tail: Promise<unknown> = Promise.resolve()

  constructor(stream: string, store: Pick<Store, 'read'>, initial: DocumentState | null) {
    this.stream = stream
    this.store = store
    this.initial = initial
    this.confirmed = new ConfirmedDocument(initial)
  }

  /** Reads on from where the fold stands; readings follow each other, never overlap. */
  read(): Promise<Reading> {
    const next = this.tail.then(
      () => this.readOn(),
      () => this.readOn(),
    )
    this.tail = next
    return next
  }

  /** Folds one's own row without reading it back, if it is the next one. */
  take(row: AdmissionRow): AcceptedEdit[] | null {
    if (row.version !== this.confirmed.version + 1) return null
    try {
      return this.confirmed.integrate(row)
    } catch (error) {
      if (error instanceof UnknownOwner) return null
      throw error
    }
  }

  private async readOn(): Promise<Reading> {
    const rows = await this.store.read(this.stream, this.confirmed.version)
    const reading: Reading = { rows: [], accepted: [], refolded: false }
    const { refolds } = this.confirmed
    // One reading after the last redaction sees what all of them have left.
    const lastRedaction = rows.findLast(({ update }) => update && bringsTombstone(update))
    for (const row of rows) {
      // One's own ruling may have been folded while the answer was on its way.
      if (row.version <= this.confirmed.version) continue
      const accepted = await this.fold(row)
      reading.rows.push(row)
      reading.accepted.push(...accepted)
      // What stands in the log now in the place of the redacted is what the page shows from here on.
      if (row === lastRedaction) this.confirmed.restart(await this.store.read(this.stream, 0, row.version))
    }
    reading.refolded = this.confirmed.refolds > refolds
    return reading
  }

  private async fold(row: Ruled): Promise<AcceptedEdit[]> {
    try {
      return this.confirmed.integrate(row)
    } catch (error) {
      if (!(error instanceof UnknownOwner)) throw error
      this.confirmed.learn(await this.store.read(this.stream, 0, this.initial?.version ?? 0))
      return this.fold(row)
    }
  }
}
