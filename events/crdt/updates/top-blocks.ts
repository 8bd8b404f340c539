import * as Y from "yjs";
import { firstWhere } from "@/events/core/binary-search";
import { structAt } from "./struct-at";
import { structKind } from "./yjs-content";
import { kindOf } from "./yjs-update";
import type { Id, Struct, StructBlock } from "./yjs-update";

/** A direct child of a fragment: its item there, or the struct that inserts it. */
export type TopBlock = Y.Item | Struct;

/** Thrown if a struct's dependency does not exist, or is not in the fragment. */
export class Unplaced extends Error {}

/** Returns the block that contains or is an item. Throws `Unplaced` if there is none. */
function topOf(item: Y.Item, fragment: Y.XmlFragment): Y.Item {
  for (let at = item; ;) {
    const { parent } = at;
    if (!(parent instanceof Y.AbstractType)) throw new Unplaced();
    if (parent === fragment && at.parentSub === null) return at;
    if (!parent._item) throw new Unplaced();
    at = parent._item;
  }
}

/**
 * Returns the struct at a clock, and the fragment's block that contains or is that struct. The
 * block is null if the struct was garbage-collected. Throws `Unplaced` if there is no struct.
 */
export function placeOf(fragment: Y.XmlFragment, { client, clock }: Id) {
  const self = fragment.doc && structAt(fragment.doc, client, clock);
  if (!self) throw new Unplaced();
  return { self, top: self instanceof Y.Item ? topOf(self, fragment) : null };
}

/** Returns the index of the last of the sorted structs that begins at or before a clock. */
export const structIndex = (structs: readonly Pick<Struct, "clock">[], clock: number): number =>
  firstWhere(0, structs.length, (index) => (structs[index]?.clock ?? Infinity) > clock) - 1;

/**
 * Returns, in struct order, the block that contains or is each of one client's structs. The
 * fragment's document lacks these structs. Throws `Unplaced` if a struct has no place.
 */
export function topsOf(
  { client, clock, structs }: StructBlock,
  fragment: Y.XmlFragment,
): TopBlock[] {
  const tops: TopBlock[] = [];
  const find = (id: Id) => {
    const index = id.client === client && id.clock >= clock ? structIndex(structs, id.clock) : null;
    const { self, top } =
      index === null
        ? placeOf(fragment, id)
        : { self: structs[index] ?? null, top: tops[index] ?? null };
    if (!top) throw new Unplaced();
    return { top, isTop: self === top };
  };
  const topOfStruct = (struct: Struct): TopBlock => {
    const { origin, rightOrigin, parent, rootName, parentSub } = struct;
    const kind = kindOf(struct);
    const sibling = origin ?? rightOrigin;
    const last = tops.at(-1);
    // Structs without content are displayed nowhere, so their block does not matter.
    if ((kind === structKind.gc || kind === structKind.skip) && last) return last;
    if (rootName && !parentSub) return struct;
    if (parent) return find(parent).top;
    if (!sibling) throw new Unplaced();
    const { top, isTop } = find(sibling);
    return isTop ? struct : top;
  };
  for (const struct of structs) tops.push(topOfStruct(struct));
  return tops;
}
