import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import type { EditBatch } from "../device/edit-batch";
import { SavedEvents } from "./saved-events";

/** The database's maximum number of events per append. */
const mostEvents = 100;

/** The unacknowledged batches in order, and the acknowledged ones in case the log loses them. */
export class EditBatches {
  private batches: EditBatch[] = [];
  private readonly saved = new SavedEvents();

  get list(): readonly EditBatch[] {
    return this.batches;
  }

  get edits(): PendingEdit[] {
    return this.batches.flatMap(({ edits }) => edits);
  }

  /** The number of edits in the batches. */
  get count(): number {
    return this.batches.reduce((sum, { edits }) => sum + edits.length, 0);
  }

  /** Returns the clock that the batches reach under a client id, or 0 without a struct of it. */
  clockOf(client: number): number {
    return this.edits
      .flatMap(({ inspected }) => inspected.structs)
      .reduce(
        (end, one) => (one.client === client ? Math.max(end, one.clock + one.length) : end),
        0,
      );
  }

  add(batches: readonly EditBatch[]): void {
    this.batches.push(...batches);
  }

  /**
   * Returns the batches for the next append: at least one, and more while their updates fit into
   * `mostBytes`.
   */
  next(mostBytes: number): EditBatch[] {
    const next: EditBatch[] = [];
    let bytes = 0;
    for (const batch of this.batches) {
      bytes += batch.proposal.update?.length ?? 0;
      if (next.length === mostEvents || (next.length > 0 && bytes > mostBytes)) break;
      next.push(batch);
    }
    return next;
  }

  owns(id: string): boolean {
    return this.batches.some(({ proposal }) => proposal.id === id);
  }

  /**
   * Acknowledges an event that the log holds. Returns its batch, or null if no batch has this id.
   */
  acknowledge(id: string): EditBatch | null {
    const batch = this.batches.find(({ proposal }) => proposal.id === id);
    if (!batch) return null;
    this.batches = this.batches.filter((other) => other !== batch);
    this.saved.add(batch);
    return batch;
  }

  /** Marks edits of acknowledged batches that will be sent again in other batches. */
  release(edits: readonly PendingEdit[]): void {
    this.saved.release(edits);
  }

  /**
   * Removes and returns the edits, acknowledged or not, that `missing` selects by event id and
   * index.
   */
  recall(missing: (id: string, index: number) => boolean): PendingEdit[] {
    const sent = this.clear().flatMap(({ proposal, edits }) =>
      edits.filter((_, index) => missing(proposal.id, index)),
    );
    return [...this.saved.recall(missing), ...sent];
  }

  /** Removes and returns every batch that holds one of these edits. */
  takeOut(keys: ReadonlySet<string>): EditBatch[] {
    const out = this.batches.filter(({ edits }) => edits.some(({ key }) => keys.has(key)));
    this.batches = this.batches.filter((batch) => !out.includes(batch));
    return out;
  }

  /** Removes and returns all batches. */
  clear(): EditBatch[] {
    const all = this.batches;
    this.batches = [];
    return all;
  }
}
