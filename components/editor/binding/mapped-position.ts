import * as Y from "yjs";
import { structAt } from "@/events/crdt/updates/struct-at";
import type { Range } from "@/events/crdt/updates/yjs-update";
import type { Replacement } from "@/machines/sync/device/page-view";

/**
 * Maps a position of one Y.Doc to the Y.Doc that replaces it. The result precedes the content that
 * followed the position, where that content still exists. Returns null if all of it was removed.
 */
export function mappedPosition(
  { item, type, tname, assoc }: Y.RelativePosition,
  before: Y.Doc,
  { find }: Pick<Replacement, "find">,
): Y.RelativePosition | null {
  if (!item) return endOf(type, tname, assoc, find);
  const struct = structAt(before, item.client, item.clock);
  if (!(struct instanceof Y.Item)) return null;
  const parent: unknown = struct.parent;
  const { clock } = struct.id;
  const near =
    assoc < 0
      ? { ...item, clock, length: item.clock - clock + 1 }
      : { ...item, length: clock + struct.length - item.clock };
  // A position with a negative assoc is bound to the content before it, and any other position to
  // the content behind it.
  const held = (range: Range) => {
    const found = find(range).at(assoc < 0 ? -1 : 0);
    return (
      found &&
      new Y.RelativePosition(
        type,
        tname,
        Y.createID(found.client, assoc < 0 ? found.clock + found.length - 1 : found.clock),
        assoc,
      )
    );
  };
  let place = held(near);
  for (
    let next = assoc < 0 ? struct.left : struct.right;
    next && !place;
    next = assoc < 0 ? next.left : next.right
  )
    place = held({ ...next.id, length: next.length });
  if (place) return place;
  if (!(parent instanceof Y.AbstractType)) return null;
  return endOf(
    parent._item?.id ?? null,
    parent._item ? null : Y.findRootTypeKey(parent),
    assoc,
    find,
  );
}

/** Returns the end of a type, or its beginning if `assoc` is negative. */
function endOf(
  type: Y.ID | null,
  tname: string | null,
  assoc: number,
  find: Replacement["find"],
): Y.RelativePosition | null {
  if (!type) return new Y.RelativePosition(null, tname, null, assoc);
  const [found] = find({ ...type, length: 1 });
  return found
    ? new Y.RelativePosition(Y.createID(found.client, found.clock), null, null, assoc)
    : null;
}
