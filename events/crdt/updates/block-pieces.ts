import type * as Y from "yjs";
import { DividedUpdate } from "./divided-update";
import type { Part } from "./divided-update";
import { Unplaced } from "./top-blocks";
import type { UpdateParts } from "./yjs-update";

const weightOf = ({ from, to, deletes }: Part) => to - from + deletes.length;

/** Returns an upper bound of the cost to display an update: its structs and deleted clocks. */
export function updateWeight({ blocks, deletes }: UpdateParts): number {
  let weight = 0;
  for (const { structs } of blocks) weight += structs.length;
  for (const { ranges } of deletes) for (const { length } of ranges) weight += length;
  return weight;
}

/** Joins consecutive parts up to a weight of `most`. */
function packed(parts: readonly Part[], most: number): Part[] {
  const pieces: Part[] = [];
  for (const part of parts) {
    const last = pieces.at(-1);
    // Parts without structs come last.
    if (last && weightOf(last) + weightOf(part) <= most)
      pieces.splice(-1, 1, {
        from: last.from,
        to: Math.max(last.to, part.to),
        deletes: [...last.deletes, ...part.deletes],
      });
    else pieces.push(part);
  }
  return pieces;
}

/**
 * Divides an update of a fragment of blocks into updates that have the same effect when applied in
 * order. Each update weighs about `most` and changes every block that it contains to its final
 * state. Three kinds of update are not divided: an update by several clients, one that depends on
 * structs missing from the fragment's document, and a change of one block.
 */
export function blockPieces(
  { update, parts }: { update: Uint8Array; parts: UpdateParts },
  fragment: Y.XmlFragment,
  most: number,
): Uint8Array[] {
  if (parts.blocks.length > 1 || updateWeight(parts) <= most) return [update];
  try {
    const divided = new DividedUpdate(parts, fragment);
    return packed(divided.parts(), most).map((piece) => divided.written(piece));
  } catch (error) {
    if (error instanceof Unplaced) return [update];
    throw error;
  }
}
