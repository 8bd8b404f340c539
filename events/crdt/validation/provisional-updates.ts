import type { ConfirmedDocument } from "./confirmed-document";
import { dependsOnMore } from "@/events/crdt/updates/pending-edit";
import type { InspectedUpdate } from "@/events/crdt/updates/update-inspection";

/** `since`: the time of arrival, in the owner's unit of time. */
export type Provisional = {
  readonly update: Uint8Array;
  readonly inspected: InspectedUpdate;
  since: number;
};

/** Updates of others that arrived by broadcast and that the log does not have yet. */
export class ProvisionalUpdates {
  private held: Provisional[] = [];

  /** The updates in order of arrival. */
  get entries(): readonly Provisional[] {
    return this.held;
  }

  add(update: Uint8Array, inspected: InspectedUpdate, now: number): void {
    this.held.push({ update, inspected, since: now });
  }

  get size(): number {
    return this.held.length;
  }

  /** Sets the time of arrival of all updates to now. */
  renew(now: number): void {
    for (const entry of this.held) entry.since = now;
  }

  /** Discards the updates that the log now holds. */
  prune(confirmed: ConfirmedDocument): void {
    this.forget(
      ({ inspected }) => confirmed.holds(inspected.structs) && confirmed.deleted(inspected.deletes),
    );
  }

  /**
   * Returns the updates that depend only on each other and on `known`. The dependencies of the
   * other updates arrive with the log.
   */
  placeable(known: (client: number) => number): Uint8Array[] {
    const reached = new Map<number, number>();
    const reach = (client: number) => reached.get(client) ?? known(client);
    const placeable: Uint8Array[] = [];
    for (const { update, inspected } of this.held) {
      if (dependsOnMore(inspected, reach)) continue;
      placeable.push(update);
      for (const { client, clock, length } of inspected.structs)
        reached.set(client, Math.max(reach(client), clock + length));
    }
    return placeable;
  }

  forget(these: (entry: Provisional) => boolean): void {
    this.held = this.held.filter((entry) => !these(entry));
  }
}
