import { decodeRelativePosition } from "yjs";
import { fromBase64 } from "@/events/core/base64";
import { type Json } from "@/events/core/envelope";
import { type Place, type Script } from "@/events/history/timeline/script";

/** A text of a body by its name; null where there is none. */
export function field(body: Json, name: string): string | null {
  if (body === null || typeof body !== "object" || Array.isArray(body)) return null;
  const value = body[name];
  return typeof value === "string" ? value : null;
}

/** The place of an anchor in the script: of the first of its words' characters, or of the last; null for what is no anchor. */
export function anchorPlace(script: Script, text: string | null): Place | null {
  if (text === null) return null;
  try {
    const { item } = decodeRelativePosition(fromBase64(text));
    return item && script.placeOf(item.client, item.clock);
  } catch (fault) {
    // An anchor is whatever a client wrote: one that cannot be read is on no passage.
    if (fault instanceof Error) return null;
    throw fault;
  }
}
