import { divide } from "@/events/crdt/updates/pending-edit";
import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import type { OutboxRecord } from "@/events/device/outbox";

/**
 * This tab's edits that cannot be sent: orphaned edits, and records that this page cannot read.
 * They are kept until their author drops them.
 */
export class UnplacedEdits {
  private waiting: PendingEdit[] = [];
  private records: OutboxRecord[] = [];

  /** The edits whose dependency is missing and may still arrive. */
  get orphaned(): readonly PendingEdit[] {
    return this.waiting;
  }

  /** The leftovers of an earlier tab that a page of another release may be able to read. */
  get unreadable(): readonly OutboxRecord[] {
    return this.records;
  }

  orphan(edit: PendingEdit): void {
    this.waiting.push(edit);
  }

  keep(records: readonly OutboxRecord[]): void {
    this.records.push(...records);
  }

  /** Removes and returns the orphaned edits whose dependencies have arrived. */
  recover(clockOf: (client: number) => number): PendingEdit[] {
    if (this.waiting.length === 0) return [];
    const { ready, waiting } = divide(this.waiting, clockOf);
    this.waiting = waiting;
    return ready;
  }

  /** Removes all edits and records. Returns the records' keys. */
  clear(): string[] {
    const keys = [...this.waiting, ...this.records].map(({ key }) => key);
    this.waiting = [];
    this.records = [];
    return keys;
  }
}
