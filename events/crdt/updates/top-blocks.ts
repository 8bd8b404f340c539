import * as Y from "yjs";
import { firstWhere } from "@/events/core/binary-search";
import { structAt } from "./struct-at";
import { structKind } from "./yjs-content";
import { type Id, kindOf, type Struct, type StructBlock } from "./yjs-update";

/** A block that stands directly in a fragment: its item there, or the struct that brings it. */
export type TopBlock = Y.Item | Struct;

/** Thrown where a struct depends on something that is not there, or not in the fragment. */
export class Unplaced extends Error {}

/** The block of a fragment that one of its items stands in, or is; throws `Unplaced` where it is none of its. */
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
 * What stands at a clock, and the block of a fragment that it stands in, or is: null where its
 * content was collected; throws `Unplaced` where there is nothing.
 */
export function placeOf(fragment: Y.XmlFragment, { client, clock }: Id) {
  const self = fragment.doc && structAt(fragment.doc, client, clock);
  if (!self) throw new Unplaced();
  return { self, top: self instanceof Y.Item ? topOf(self, fragment) : null };
}

/** The index of the last struct, of some in the order of their clocks, that begins at a clock or before it. */
export const structIndex = (structs: readonly Pick<Struct, "clock">[], clock: number): number =>
  firstWhere(0, structs.length, (index) => (structs[index]?.clock ?? Infinity) > clock) - 1;

/**
 * The blocks that structs of one client, which the fragment's document lacks, stand in or are, in
 * the structs' order; throws `Unplaced` where one of them has no place.
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
    // Of what has no content any more nothing is shown, wherever it was.
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
