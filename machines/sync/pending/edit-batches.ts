import { type PendingEdit } from "@/events/crdt/updates/pending-edit";
import { type EditBatch } from "../device/edit-batch";
import { SavedEvents } from "./saved-events";

/** As many as the database takes in one append. */
const mostEvents = 100;

/** The batches that the log has not acknowledged, in order, and what it has acknowledged, should it lose that. */
export class EditBatches {
  private batches: EditBatch[] = [];
  private readonly saved = new SavedEvents();

  get list(): readonly EditBatch[] {
    return this.batches;
  }

  get edits(): PendingEdit[] {
    return this.batches.flatMap(({ edits }) => edits);
  }

  /** How many edits they hold. */
  get count(): number {
    return this.batches.reduce((sum, { edits }) => sum + edits.length, 0);
  }

  /** How far they go under a client id; 0 where they have nothing of it. */
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

  /** What goes into the next append: one at least, and more as long as their updates have at most so many bytes. */
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

  /** The log has this event; returns it if it was one of these. */
  acknowledge(id: string): EditBatch | null {
    const batch = this.batches.find(({ proposal }) => proposal.id === id);
    if (!batch) return null;
    this.batches = this.batches.filter((other) => other !== batch);
    this.saved.add(batch);
    return batch;
  }

  /** Edits of acknowledged batches that wait to be sent again. */
  release(edits: readonly PendingEdit[]): void {
    this.saved.release(edits);
  }

  /** Takes out the edits, acknowledged or not, that `missing` names by their event and their place in it. */
  recall(missing: (id: string, index: number) => boolean): PendingEdit[] {
    const sent = this.clear().flatMap(({ proposal, edits }) =>
      edits.filter((_, index) => missing(proposal.id, index)),
    );
    return [...this.saved.recall(missing), ...sent];
  }

  /** Takes out every batch that holds one of these edits. */
  takeOut(keys: ReadonlySet<string>): EditBatch[] {
    const out = this.batches.filter(({ edits }) => edits.some(({ key }) => keys.has(key)));
    this.batches = this.batches.filter((batch) => !out.includes(batch));
    return out;
  }

  /** Takes out all of them. */
  clear(): EditBatch[] {
    const all = this.batches;
    this.batches = [];
    return all;
  }
}
