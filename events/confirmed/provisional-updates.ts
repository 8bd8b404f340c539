import { type ConfirmedDocument } from './confirmed-document'
import { type InspectedUpdate } from '../yjs/update-inspection'

/** `since`: when it came, in a clock's elapsed milliseconds. */
type Provisional = { update: Uint8Array; inspected: InspectedUpdate; since: number }

/** Others' updates that came by broadcast and that the log does not hold yet. */
export class ProvisionalUpdates {
  private entries: Provisional[] = []

  add(update: Uint8Array, inspected: InspectedUpdate, now: number): void {
    this.entries.push({ update, inspected, since: now })
  }

  get size(): number {
    return this.entries.length
  }

  /** When the oldest of them came; null if there is none. */
  get oldest(): number | null {
    return this.entries[0]?.since ?? null
  }

  /** The updates that came at `since` or later. */
  updates(since = -Infinity): Uint8Array[] {
    return this.entries.filter((entry) => entry.since >= since).map(({ update }) => update)
  }

  /** Lets go of what the log holds by now. */
  prune(confirmed: ConfirmedDocument): void {
    this.entries = this.entries.filter(
      ({ inspected }) => !confirmed.holds(inspected.structs) || !confirmed.deleted(inspected.deletes),
    )
  }

  keepSince(since: number): void {
    this.entries = this.entries.filter((entry) => entry.since >= since)
  }
}
