import {
  AbstractType,
  createAbsolutePositionFromRelativePosition,
  RelativePosition,
  XmlElement,
  XmlText,
} from "yjs";
import type { Doc, Item } from "yjs";

const parentOf = ({ parent }: Item) => (parent instanceof AbstractType ? parent._item : null);
const typeOf = (item: Item) => ("type" in item.content ? item.content.type : null);

/** Returns the outermost removed node that is or contains a type, or null if none is removed. */
function removedAround(type: AbstractType<unknown>): Item | null {
  let removed: Item | null = null;
  for (let item = type._item; item; item = parentOf(item)) if (item.deleted) removed = item;
  return removed;
}

/**
 * Returns the start of the first text that remains in an item, or the end of the last. Returns null
 * if no text remains.
 */
function endOf(item: Item, side: "first" | "last"): RelativePosition | null {
  if (item.deleted) return null;
  const type = typeOf(item);
  if (type instanceof XmlText)
    // Without an item: the binding rejects a position that resolves to the start of the whole text.
    return new RelativePosition(item.id, null, null, side === "first" ? -1 : 0);
  if (!(type instanceof XmlElement)) return null;
  const children = type.toArray();
  if (side === "last") children.reverse();
  for (const child of children) {
    const end = child._item && endOf(child._item, side);
    if (end) return end;
  }
  return null;
}

/**
 * Returns the position after the removed node, or else before it, or else around its parent.
 * Returns null if nothing remains.
 */
function besides(removed: Item): RelativePosition | null {
  for (let around: Item | null = removed; around; around = parentOf(around)) {
    let end: RelativePosition | null = null;
    for (let next = around.right; next && !end; next = next.right) end = endOf(next, "first");
    for (let next = around.left; next && !end; next = next.left) end = endOf(next, "last");
    if (end) return end;
  }
  return null;
}

/**
 * Maps a position in a removed node to the place of that node. Returns the position itself if
 * nothing else remains. Call it before Yjs garbage-collects the removed content.
 */
export function survivingPlace(place: RelativePosition, doc: Doc): RelativePosition {
  const found = createAbsolutePositionFromRelativePosition(place, doc);
  const removed = found && removedAround(found.type);
  return (removed && besides(removed)) ?? place;
}
