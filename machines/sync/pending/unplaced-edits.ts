import { divide, type PendingEdit } from "@/events/crdt/updates/pending-edit";
import { type OutboxRecord } from "@/events/device/outbox";

/**
 * One's own edits that cannot be sent: orphaned ones, and records that this page cannot read. They
 * are kept until their author lets go of them.
 */
export class UnplacedEdits {
  private waiting: PendingEdit[] = [];
  private records: OutboxRecord[] = [];

  /** Edits that depend on what is lost; it may still turn up. */
  get orphaned(): readonly PendingEdit[] {
    return this.waiting;
  }

  /** What an earlier tab left and a page of another release may be able to read. */
  get unreadable(): readonly OutboxRecord[] {
    return this.records;
  }

  orphan(edit: PendingEdit): void {
    this.waiting.push(edit);
  }

  keep(records: readonly OutboxRecord[]): void {
    this.records.push(...records);
  }

  /** Takes out the orphaned edits that depend on nothing lost any more. */
  recover(clockOf: (client: number) => number): PendingEdit[] {
    if (this.waiting.length === 0) return [];
    const { ready, waiting } = divide(this.waiting, clockOf);
    this.waiting = waiting;
    return ready;
  }

  /** Takes out all of them; returns the keys of their records. */
  clear(): string[] {
    const keys = [...this.waiting, ...this.records].map(({ key }) => key);
    this.waiting = [];
    this.records = [];
    return keys;
  }
}
