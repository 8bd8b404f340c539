import type { PendingEdit } from "@/events/crdt/updates/pending-edit";

/** The Yjs client ids under which this tab has written, with the end clock of each. */
export class OwnClocks {
  private readonly ends = new Map<number, number>();

  /** Records that this tab has written, or taken over, this edit. */
  claim({ inspected }: Pick<PendingEdit, "inspected">): void {
    for (const { client, clock, length } of inspected.structs)
      this.ends.set(client, Math.max(this.of(client), clock + length));
  }

  has(client: number): boolean {
    return this.ends.has(client);
  }

  /** Returns the clock up to which this tab has written under a client id, or 0 without an edit. */
  of(client: number): number {
    return this.ends.get(client) ?? 0;
  }
}
