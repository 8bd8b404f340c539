import type { InspectedUpdate } from "../update-inspection";
import type { Id } from "../yjs-update";

type Parked = { needs: number; update: InspectedUpdate };

/** Updates that arrived before their dependencies, stored by the first clock that each lacks. */
export class ParkedUpdates {
  /** Updates by client, sorted so that the one with the lowest missing clock is last. */
  private readonly clients = new Map<number, Parked[]>();

  park(update: InspectedUpdate, { client, clock }: Id): void {
    const parked = this.clients.get(client) ?? [];
    this.clients.set(client, parked);
    let index = parked.length;
    while (index > 0 && (parked[index - 1]?.needs ?? 0) < clock) index -= 1;
    parked.splice(index, 0, { needs: clock, update });
  }

  /**
   * Removes and returns the updates whose missing clock is now known: those of this client below
   * `reached`.
   */
  freed(client: number, reached: number): InspectedUpdate[] {
    const parked = this.clients.get(client) ?? [];
    const freed: InspectedUpdate[] = [];
    for (let last = parked.at(-1); last && last.needs < reached; last = parked.at(-1)) {
      freed.push(last.update);
      parked.pop();
    }
    return freed;
  }
}

/**
 * Returns the first clock that the structs of an update depend on and that neither the update nor
 * `known` holds. Null if there is none.
 */
export function firstLack(
  { structs }: Pick<InspectedUpdate, "structs">,
  known: (client: number) => number,
): Id | null {
  const own = new Map<number, number>();
  const reached = (client: number) => own.get(client) ?? known(client);
  for (const { client, clock, length } of structs) {
    if (clock > reached(client)) return { client, clock: clock - 1 };
    own.set(client, Math.max(reached(client), clock + length));
  }
  for (const { dependsOn } of structs) {
    for (const { client, clock } of dependsOn)
      if (clock >= reached(client)) return { client, clock };
  }
  return null;
}
