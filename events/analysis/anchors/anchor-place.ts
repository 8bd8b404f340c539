import { decodeRelativePosition } from "yjs";
import { fromBase64 } from "@/events/core/base64";
import { type Place, type Script } from "@/events/history/timeline/script";

/**
 * The place of an anchor in the script: of the first of its words' characters, or of the last; null
 * for what is no anchor.
 */
export function anchorPlace(script: Script, text: string | undefined): Place | null {
  if (text === undefined) return null;
  try {
    const { item } = decodeRelativePosition(fromBase64(text));
    return item && script.placeOf(item.client, item.clock);
  } catch (fault) {
    // An anchor is whatever a client wrote: one that cannot be read is on no passage.
    if (fault instanceof Error) return null;
    throw fault;
  }
}
