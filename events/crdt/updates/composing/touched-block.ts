import * as Y from "yjs";
import { structAt } from "../struct-at";
import type { Id, Struct, UpdateParts } from "../yjs-update";

/**
 * Whether an update changes this block or its content, or removes one of its ancestors. Structs
 * that the document already holds change nothing.
 */
export function touchesBlock(
  doc: Y.Doc,
  block: Y.XmlElement,
  { blocks, deletes }: UpdateParts,
): boolean {
  const around = new Set<unknown>([block]);
  for (let type = parentOf(block._item); type; type = parentOf(type._item)) around.add(type);
  const isAround = ({ content }: Y.Item) =>
    content instanceof Y.ContentType && around.has(content.type);
  const isWithin = (item: Y.Item | null): boolean => {
    for (let type = parentOf(item); type; type = parentOf(type._item))
      if (type === block) return true;
    return false;
  };
  const itemAt = ({ client, clock }: Id) => {
    const struct = structAt(doc, client, clock);
    return struct instanceof Y.Item ? struct : null;
  };
  // A struct that depends on another struct of the update has the same place as that struct, which
  // is checked itself.
  const standsWithin = ({ origin, rightOrigin, parent }: Struct): boolean => {
    for (const beside of [origin, rightOrigin]) {
      if (!beside) continue;
      const item = itemAt(beside);
      if (item) return isWithin(item);
    }
    if (!parent) return false;
    const item = itemAt(parent);
    if (!item) return false;
    return isWithin(item) || (item.content instanceof Y.ContentType && item.content.type === block);
  };
  for (const { client, structs } of blocks)
    for (const struct of structs)
      if (struct.clock + struct.length > Y.getState(doc.store, client) && standsWithin(struct))
        return true;
  for (const { client, ranges } of deletes)
    for (const { clock, length } of ranges)
      for (let at = clock; at < clock + length;) {
        const struct = structAt(doc, client, at);
        if (!struct) break;
        if (struct instanceof Y.Item && !struct.deleted && (isWithin(struct) || isAround(struct)))
          return true;
        at = struct.id.clock + struct.length;
      }
  return false;
}

function parentOf(item: Y.Item | null): Y.AbstractType<unknown> | null {
  return item?.parent instanceof Y.AbstractType ? item.parent : null;
}
