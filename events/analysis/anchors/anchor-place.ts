import { type Place, type Script } from "@/events/history/timeline/script";
import { characterOf } from "./anchor";

/**
 * The place of an anchor in the script: of the first of its words' characters, or of the last; null
 * for what is no anchor.
 */
export function anchorPlace(script: Script, text: string | undefined): Place | null {
  const id = text === undefined ? null : characterOf(text);
  return id && script.placeOf(id.client, id.clock);
}
