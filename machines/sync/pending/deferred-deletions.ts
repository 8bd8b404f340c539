import { type Range } from "@/events/crdt/updates/yjs-update";
import { type Deferral } from "../device/leftovers";

/** Deletions of what the log has not brought yet, each with the record that keeps it on the device. */
export class DeferredDeletions {
  private waiting: Deferral[] = [];

  get count(): number {
    return this.waiting.length;
  }

  add(deferrals: readonly Deferral[]): void {
    this.waiting.push(...deferrals);
  }

  /** Takes out those that can be made now, and the records that keep nothing any more. */
  take(isHeld: (range: Range) => boolean): { ranges: Range[]; keys: string[] } {
    const ready = this.waiting.filter(({ range }) => isHeld(range));
    this.waiting = this.waiting.filter((entry) => !ready.includes(entry));
    const kept = new Set(this.waiting.map(({ key }) => key));
    return {
      ranges: ready.map(({ range }) => range),
      keys: [...new Set(ready.map(({ key }) => key))].filter((key) => !kept.has(key)),
    };
  }
}
