import type { Timeline } from "@/events/history/timeline/timeline";
import { movesOf } from "./moves";

/**
 * Returns a function that finds the block that replaces another one at a revision: a restore
 * inserts a block's copy right after the block's place. The function returns the block itself if no
 * copy stands.
 */
export function blockHeirs(timeline: Timeline): (block: number, at: number) => number {
  const { blocks } = timeline;
  const { returnAt } = movesOf(timeline);
  const nameOf = (block: number) => {
    const { node } = blocks[block] ?? {};
    return node?.kind === "element" ? node.name : null;
  };
  const stands = (block: number, at: number) => {
    const { born, died } = blocks[block] ?? { born: 0, died: 0 };
    return born <= at && died > at;
  };
  const isReturned = (block: number) => returnAt(blocks[block]?.born ?? 0) !== null;
  return (block, at) => {
    if (stands(block, at)) return block;
    const name = nameOf(block);
    let first = block;
    while (first > 0 && isReturned(first) && nameOf(first - 1) === name) first -= 1;
    for (let each = first; each === first || isReturned(each); each += 1) {
      if (nameOf(each) !== name) break;
      if (stands(each, at)) return each;
    }
    return block;
  };
}
