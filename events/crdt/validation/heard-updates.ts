import * as Y from "yjs";
import { containersOf } from "./containers";
import { ContentCheck } from "./content-check";
import { newestSchema, textSchemas } from "@/events/content/text-schema";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import type { InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import { writeUpdate } from "@/events/crdt/updates/yjs-update";
import { hasMissingDependency } from "./validation";

export type Heard = { update: Uint8Array; inspected: InspectedUpdate };

/** The most updates that wait. The log later provides the ones that are discarded. */
const mostWaiting = 256;

/**
 * Updates of others that arrived by broadcast before the log had them, validated against the schema
 * like the updates of the log. An update with a missing dependency cannot be judged. It waits here,
 * because Yjs would apply it unchecked as soon as the dependency arrives.
 */
export class HeardUpdates {
  private waiting: Heard[] = [];

  /**
   * Adds an update and returns the updates that can now be displayed in this document. They are in
   * order and without content that the schema does not allow.
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
