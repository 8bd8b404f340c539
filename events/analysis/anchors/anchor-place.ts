import type { Place, Script } from "@/events/history/timeline/script";
import { characterOf } from "./anchor";

/**
 * Returns the script place of the first or last character of an anchor's words. Null for an invalid
 * position.
 */
export function anchorPlace(script: Script, text: string | undefined): Place | null {
  const id = text === undefined ? null : characterOf(text);
  return id && script.placeOf(id.client, id.clock);
}
