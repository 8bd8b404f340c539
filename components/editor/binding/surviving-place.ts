import {
  AbstractType,
  createAbsolutePositionFromRelativePosition,
  type Doc,
  type Item,
  RelativePosition,
  XmlElement,
  XmlText,
} from "yjs";

const parentOf = ({ parent }: Item) => (parent instanceof AbstractType ? parent._item : null);
const typeOf = (item: Item) => ("type" in item.content ? item.content.type : null);

/** The outermost of the removed nodes that a type stands in, or is; null where none of them is. */
function removedAround(type: AbstractType<unknown>): Item | null {
  let removed: Item | null = null;
  for (let item = type._item; item; item = parentOf(item)) if (item.deleted) removed = item;
  return removed;
}

/** The beginning of the first text in what stands of an item, or the end of the last; null where it has none. */
function endOf(item: Item, side: "first" | "last"): RelativePosition | null {
  if (item.deleted) return null;
  const type = typeOf(item);
  if (type instanceof XmlText)
    // Without an item: the binding doubts one that leads to the beginning of the whole text.
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

/** Behind what was removed, else before it, else around what it stood in; null where nothing is left. */
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
 * A place in a shared text, or where it stood if the node that it was in is removed; the place
 * itself where nothing else is left. To be asked before Yjs collects what was removed.
 */
export function survivingPlace(place: RelativePosition, doc: Doc): RelativePosition {
  const found = createAbsolutePositionFromRelativePosition(place, doc);
  const removed = found && removedAround(found.type);
  return (removed && besides(removed)) ?? place;
}
