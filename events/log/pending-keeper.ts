import type { OptimisticEvent } from "./stream-rules";

/** The device's storage of a stream's proposals until they are ruled. */
export type Keep = {
  put(events: readonly OptimisticEvent[]): void;
  remove(ids: readonly string[]): void;
};

/** Updates a `Keep` so that it holds a stream's pending proposals. */
export class PendingKeeper {
  private readonly keep: Keep | undefined;
  private readonly kept = new Set<string>();

  constructor(keep: Keep | undefined) {
    this.keep = keep;
  }

  /** Marks events as already kept. */
  knows(events: readonly OptimisticEvent[]): void {
    for (const { id } of events) this.kept.add(id);
  }

  /** Keeps exactly the pending proposals and removes all others. */
  follow(pending: readonly { proposal: OptimisticEvent }[]): void {
    if (!this.keep) return;
    const waiting = new Set(pending.map(({ proposal }) => proposal.id));
    const gone = [...this.kept].filter((id) => !waiting.has(id));
    const fresh = pending.flatMap(({ proposal }) => (this.kept.has(proposal.id) ? [] : [proposal]));
    for (const id of gone) this.kept.delete(id);
    this.knows(fresh);
    if (gone.length > 0) this.keep.remove(gone);
    if (fresh.length > 0) this.keep.put(fresh);
  }
}
