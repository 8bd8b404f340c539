import type { Range } from "@/events/crdt/updates/yjs-update";
import type { Deferral } from "../device/leftovers";

/** Deletions whose target the log has not brought yet, each with its record on the device. */
export class DeferredDeletions {
  private waiting: Deferral[] = [];

  get count(): number {
    return this.waiting.length;
  }

  add(deferrals: readonly Deferral[]): void {
    this.waiting.push(...deferrals);
  }

  /**
   * Removes and returns the deletions whose target is held, and the record keys that are no longer
   * needed.
   */
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
