import type { Proposal } from "@/events/core/envelope";
import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import { openBatch } from "../device/edit-batch";
import type { EditBatch } from "../device/edit-batch";

/** An event as it was sent, and the indexes of its edits that will be sent in another event. */
type Saved = { proposal: Proposal; elsewhere: Set<number> };

/** This tab's acknowledged events, as sent. They use as much memory as their payloads. */
export class SavedEvents {
  private readonly events = new Map<string, Saved>();
  private readonly places = new WeakMap<PendingEdit, { saved: Saved; index: number }>();

  add({ proposal, edits }: Pick<EditBatch, "proposal" | "edits">): void {
    const saved = { proposal, elsewhere: new Set<number>() };
    this.events.set(proposal.id, saved);
    for (const [index, edit] of edits.entries()) this.places.set(edit, { saved, index });
  }

  /**
   * Marks edits that will be sent again in another event, so that losing this event does not recall
   * them.
   */
  release(edits: readonly PendingEdit[]): void {
    for (const edit of edits) {
      const place = this.places.get(edit);
      place?.saved.elsewhere.add(place.index);
    }
  }

  /** Returns the edits that `missing` selects by event id and index, to be sent again. */
  recall(missing: (id: string, index: number) => boolean): PendingEdit[] {
    const recalled: PendingEdit[] = [];
    for (const [id, { proposal, elsewhere }] of this.events) {
      const { edits } = openBatch("", proposal);
      for (const [index, edit] of edits.entries()) {
        if (elsewhere.has(index) || !missing(id, index)) continue;
        recalled.push(edit);
        elsewhere.add(index);
      }
      if (elsewhere.size === edits.length) this.events.delete(id);
    }
    return recalled;
  }
}
