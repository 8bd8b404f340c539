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

/** The outermost removed node that contains a type or is it; null when none is removed. */
function removedAround(type: AbstractType<unknown>): Item | null {
  let removed: Item | null = null;
  for (let item = type._item; item; item = parentOf(item)) if (item.deleted) removed = item;
  return removed;
}

/**
 * The start of the first text that remains in an item, or the end of the last; null when it has
 * none.
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
 * The position after the removed node, else before it, else around its parent; null when nothing
 * remains.
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
 * Maps a position to where its node stood if that node is removed; returns the position itself when
 * nothing else remains. Call it before Yjs garbage-collects the removed content.
 */
export function survivingPlace(place: RelativePosition, doc: Doc): RelativePosition {
  const found = createAbsolutePositionFromRelativePosition(place, doc);
  const removed = found && removedAround(found.type);
  return (removed && besides(removed)) ?? place;
}
