import type { ConfirmedDocument } from "./confirmed-document";
import { dependsOnMore } from "@/events/crdt/updates/pending-edit";
import type { InspectedUpdate } from "@/events/crdt/updates/update-inspection";

/** `since`: when it arrived, in the owner's unit of time. */
export type Provisional = {
  readonly update: Uint8Array;
  readonly inspected: InspectedUpdate;
  since: number;
};

/** Updates of others that arrived by broadcast and are not in the log yet. */
export class ProvisionalUpdates {
  private held: Provisional[] = [];

  /** In order of arrival. */
  get entries(): readonly Provisional[] {
    return this.held;
  }

  add(update: Uint8Array, inspected: InspectedUpdate, now: number): void {
    this.held.push({ update, inspected, since: now });
  }

  get size(): number {
    return this.held.length;
  }

  /** Marks all as having arrived now. */
  renew(now: number): void {
    for (const entry of this.held) entry.since = now;
  }

  /** Discards updates that the log holds by now. */
  prune(confirmed: ConfirmedDocument): void {
    this.forget(
      ({ inspected }) => confirmed.holds(inspected.structs) && confirmed.deleted(inspected.deletes),
    );
  }

  /**
   * The updates that depend only on each other and on `known`; the log brings the dependencies of
   * the rest.
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
