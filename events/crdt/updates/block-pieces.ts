import type * as Y from "yjs";
import { DividedUpdate } from "./divided-update";
import type { Part } from "./divided-update";
import { Unplaced } from "./top-blocks";
import type { UpdateParts } from "./yjs-update";

const weightOf = ({ from, to, deletes }: Part) => to - from + deletes.length;

/** An upper bound of the cost of showing an update: its structs and the length of its deletions. */
export function updateWeight({ blocks, deletes }: UpdateParts): number {
  let weight = 0;
  for (const { structs } of blocks) weight += structs.length;
  for (const { ranges } of deletes) for (const { length } of ranges) weight += length;
  return weight;
}

/** Joins consecutive parts until they are heavy enough. */
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
 * Divides an update of a fragment of blocks into updates that, applied in order, have the same
 * effect. Each weighs about `most` and takes every block that it changes to its final state. Three
 * kinds stay whole: an update by several clients, one that depends on structs missing from the
 * fragment's document, and a change of one block.
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
