import { type Proposal } from "@/events/core/envelope";
import { type PendingEdit } from "@/events/crdt/updates/pending-edit";
import { openBatch } from "./edit-batch";

/** What the log has acknowledged of this tab, as it was sent; its payloads are what it took in all to write it. */
export class SavedEvents {
  private readonly proposals = new Map<string, Proposal>();

  add(proposal: Proposal): void {
    this.proposals.set(proposal.id, proposal);
  }

  /** Takes back the edits that `missing` names by their event and their place in it. */
  recall(missing: (id: string, index: number) => boolean): PendingEdit[] {
    const recalled: PendingEdit[] = [];
    for (const [id, proposal] of this.proposals) {
      const { edits } = openBatch("", proposal);
      const gone = edits.filter((_, index) => missing(id, index));
      recalled.push(...gone);
      if (gone.length === edits.length) this.proposals.delete(id);
    }
    return recalled;
  }
}
