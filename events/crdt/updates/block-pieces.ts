import type * as Y from "yjs";
import { DividedUpdate, type Part } from "./divided-update";
import { Unplaced } from "./top-blocks";
import { type UpdateParts } from "./yjs-update";

const weightOf = ({ from, to, deletes }: Part) => to - from + deletes.length;

/** How much showing an update costs at most: its structs, and every tick that it deletes. */
export function updateWeight({ blocks, deletes }: UpdateParts): number {
  let weight = 0;
  for (const { structs } of blocks) weight += structs.length;
  for (const { ranges } of deletes) for (const { length } of ranges) weight += length;
  return weight;
}

/** Joins parts that follow each other until they are heavy enough. */
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
 * Divides what an update changes in a fragment of blocks into updates that mean the same in this
 * order, each of about `most` structs and deletions: each takes every block that it changes from
 * what it was to what it becomes. An update that several clients wrote, or that depends on what
 * the fragment's document lacks, stays whole, and so does a change of one block.
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
