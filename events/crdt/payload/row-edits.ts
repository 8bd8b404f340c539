import type { Ruled } from "@/events/core/envelope";
import { readUpdate, UpdateError } from "@/events/crdt/updates/yjs-update";
import type { UpdateParts } from "@/events/crdt/updates/yjs-update";
import { readCopyIn } from "./copy-in-payload";
import { decodeEdits, PayloadError } from "./payload";
import { bringsTombstone, readTombstone } from "./tombstone-payload";

/**
 * Returns the parsed edits of an event. For a redacted event, returns the edits of its tombstone.
 * Returns no edits for an unreadable payload.
 */
export function editsOf({
  update,
  clientTime,
}: Pick<Ruled, "update" | "clientTime">): UpdateParts[] {
  if (!update || bringsTombstone(update)) return [];
  const whole = readTombstone(update) ?? update;
  try {
    return decodeEdits(readCopyIn(whole)?.payload ?? whole, Date.parse(clientTime)).map((edit) =>
      readUpdate(edit.update),
    );
  } catch (error) {
    if (error instanceof PayloadError || error instanceof UpdateError) return [];
    throw error;
  }
}
