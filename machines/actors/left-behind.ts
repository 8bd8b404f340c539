import { type OutboxRecord } from '@/events/device/outbox'
import { pendingEdit, type PendingEdit } from '@/events/yjs/pending-edits'
import { inspectUpdate } from '@/events/yjs/update-inspection'
import { type Range } from '@/events/yjs/yjs-update'
import { type SealedEvent, unsealed } from './sealed-event'

/** A deletion of what may yet come back, and the record that keeps it. */
export type Deferral = { key: string; range: Range }

/** What an earlier tab has left on the device. `faults`: what came of reading records that this page cannot read. */
export type LeftBehind = {
  edits: PendingEdit[]
  events: SealedEvent[]
  deferrals: Deferral[]
  supports: { key: string; update: Uint8Array }[]
  faults: unknown[]
}

/** Reads what an earlier tab has left; one record that a page of another release wrote, or that is damaged, keeps none of the others back. */
export function readLeft(records: readonly OutboxRecord[]): LeftBehind {
  const left: LeftBehind = { edits: [], events: [], deferrals: [], supports: [], faults: [] }
  for (const record of records) {
    try {
      take(record, left)
    } catch (fault) {
      left.faults.push(fault)
    }
  }
  return left
}

function take(record: OutboxRecord, { edits, events, deferrals, supports }: LeftBehind): void {
  const { key } = record
  if (record.kind === 'edit') edits.push(pendingEdit(key, record.update, record.time))
  else if (record.kind === 'event') events.push(unsealed(key, record.proposal))
  else if (record.kind === 'deferred') deferrals.push(...inspectUpdate(record.update).deletes.map((range) => ({ key, range })))
  else {
    inspectUpdate(record.update)
    supports.push({ key, update: record.update })
  }
}
