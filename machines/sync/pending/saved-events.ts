import { type Proposal } from "@/events/core/envelope";
import { type PendingEdit } from "@/events/crdt/updates/pending-edit";
import { type EditBatch, openBatch } from "../device/edit-batch";

/** An event as it was sent, and the places of those of its edits that wait elsewhere again. */
type Saved = { proposal: Proposal; elsewhere: Set<number> };

/** What the log has acknowledged of this tab, as it was sent; its payloads are what it took in all to write it. */
export class SavedEvents {
  private readonly events = new Map<string, Saved>();
  private readonly places = new WeakMap<PendingEdit, { saved: Saved; index: number }>();

  add({ proposal, edits }: Pick<EditBatch, "proposal" | "edits">): void {
    const saved = { proposal, elsewhere: new Set<number>() };
    this.events.set(proposal.id, saved);
    for (const [index, edit] of edits.entries()) this.places.set(edit, { saved, index });
  }

  /** These wait to be sent again under another name: no later loss of their event brings them back. */
  release(edits: readonly PendingEdit[]): void {
    for (const edit of edits) {
      const place = this.places.get(edit);
      place?.saved.elsewhere.add(place.index);
    }
  }

  /** Takes back the edits that `missing` names by their event and their place in it. */
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
