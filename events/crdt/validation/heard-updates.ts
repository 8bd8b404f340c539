import * as Y from "yjs";
import { containersOf } from "./containers";
import { ContentCheck } from "./content-check";
import { newestSchema, textSchemas } from "@/events/content/text-schema";
import { inspectUpdate, type InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import { writeUpdate } from "@/events/crdt/updates/yjs-update";
import { hasMissingDependency } from "./validation";

export type Heard = { update: Uint8Array; inspected: InspectedUpdate };

/** How many updates wait at most; the log brings those that are let go of. */
const mostWaiting = 256;

/**
 * Others' updates that came before the log had them, held against the schema as the log's are. One
 * that depends on what the page has not got yet cannot be judged: it waits, or Yjs would take it in
 * unseen once that has come.
 */
export class HeardUpdates {
  private waiting: Heard[] = [];

  /**
   * Takes in what came, and answers what may be shown in this document now, in order and without
   * what the schema cannot hold.
   */
  take(heard: Heard | null, doc: Y.Doc): Heard[] {
    const schema = textSchemas.get(newestSchema);
    if (!schema) return [];
    if (heard) this.waiting.push(heard);
    const reached = new Map<number, number>();
    const known = { get: (client: number) => reached.get(client) ?? Y.getState(doc.store, client) };
    const check = new ContentCheck(
      schema,
      containersOf(() => doc),
      known.get,
    );
    const ready: Heard[] = [];
    for (let before = -1; before !== ready.length;) {
      before = ready.length;
      this.waiting = this.waiting.filter((each) => {
        if (hasMissingDependency(each.inspected, known)) return true;
        ready.push(supported(each, check));
        for (const { client, clock, length } of each.inspected.structs)
          reached.set(client, Math.max(known.get(client), clock + length));
        return false;
      });
    }
    this.waiting = this.waiting.slice(-mostWaiting);
    return ready;
  }
}

function supported(heard: Heard, check: ContentCheck): Heard {
  const parts = check.check(heard.inspected.parts);
  if (parts === heard.inspected.parts) return heard;
  const update = writeUpdate(parts);
  return { update, inspected: inspectUpdate(update) };
}
