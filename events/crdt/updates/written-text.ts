import { ByteReader } from "@/events/core/bytes/bytes";
import { structKind } from "./yjs-content";
import { kindOf, readUpdate } from "./yjs-update";
import type { Id, Struct } from "./yjs-update";

/**
 * A place in a text: a letter, a block with its content, or content without visible text. Each list
 * of places begins with an empty place.
 */
type Place = { shown: string; left: Place | null; right: Place | null; inside: Place | null };

const emptyPlace = (): Place => ({ shown: "", left: null, right: null, inside: null });

function insert(left: Place, place: Place): Place {
  place.left = left;
  place.right = left.right;
  if (left.right) left.right.left = place;
  left.right = place;
  return place;
}

/**
 * Returns the text that results from one person's series of edits, derived from the edits alone.
 * Edits that depend on each other are in text order. Text that they delete again is left out. Each
 * block and each unrelated place is on a line of its own.
 */
export function writtenText(updates: readonly Uint8Array[]): string {
  const begin = emptyPlace();
  const clients = new Map<number, Map<number, Place>>();
  const placeOf = (id: Id | null) => (id ? clients.get(id.client)?.get(id.clock) : undefined);
  let end = begin;

  /** Returns the place after which a struct stands. If unknown, adds a line at the end for it. */
  const leftOf = ({ origin, rightOrigin, parent }: Struct): Place => {
    const left = placeOf(origin);
    if (left) return left;
    const right = placeOf(rightOrigin);
    if (right?.left) return right.left;
    const around = placeOf(parent);
    return around?.inside ?? insert(end, { ...emptyPlace(), shown: "\n" });
  };

  for (const { blocks, deletes } of updates.map((update) => readUpdate(update))) {
    for (const { client, structs } of blocks) {
      const places = clients.get(client) ?? new Map<number, Place>();
      clients.set(client, places);
      for (const struct of structs) {
        if (places.has(struct.clock)) continue;
        let left = leftOf(struct);
        for (const [tick, place] of placesOf(struct).entries()) {
          left = insert(left, place);
          places.set(struct.clock + tick, left);
        }
        while (end.right) end = end.right;
      }
    }
    for (const { client, ranges } of deletes) {
      const places = clients.get(client) ?? new Map<number, Place>();
      for (const { clock, length } of ranges) {
        // A deleted range may claim to be far longer than the text that was written.
        const ticks =
          length <= places.size
            ? Array.from({ length }, (_, tick) => clock + tick)
            : [...places.keys()].filter((tick) => tick >= clock && tick < clock + length);
        for (const tick of ticks) {
          const place = places.get(tick);
          if (place) place.shown = "";
        }
      }
    }
  }
  return textFrom(begin)
    .replace(/\n+/g, "\n")
    .replace(/^\n|\n$/g, "");
}

/** Returns a place for each clock of a struct. */
function placesOf(struct: Struct): Place[] {
  const kind = kindOf(struct);
  if (kind === structKind.type) return [{ ...emptyPlace(), shown: "\n", inside: emptyPlace() }];
  if (kind === structKind.gc || kind === structKind.deleted || kind === structKind.skip) return [];
  const shown =
    kind === structKind.string
      ? new TextDecoder().decode(new ByteReader(struct.content).block())
      : "";
  return Array.from({ length: struct.length }, (_, tick) => ({
    ...emptyPlace(),
    shown: shown.charAt(tick),
  }));
}

function textFrom(first: Place): string {
  let text = "";
  for (let place: Place | null = first; place; place = place.right) {
    // A block begins and ends with a line break.
    text += place.inside ? place.shown + textFrom(place.inside) + place.shown : place.shown;
  }
  return text;
}
