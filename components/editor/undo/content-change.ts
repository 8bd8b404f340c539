import type { Node } from "@tiptap/pm/model";
import { StepMap } from "@tiptap/pm/transform";
import { narrowChange } from "./narrow-change";

/** Maximum number of pairs of blocks to compare. Above it, blocks are not compared. */
const mostPairs = 40_000;

/** Returns index pairs of equal blocks in two lists, which are their longest common subsequence. */
function equalPairs(before: readonly Node[], after: readonly Node[]): [number, number][] {
  if (before.length * after.length > mostPairs) return [];
  const same = before.map((was) => after.map((is) => was.eq(is)));
  const most = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  const lengthAt = (i: number, j: number) => most[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const row = most[i];
    for (let j = after.length - 1; row && j >= 0; j -= 1) {
      row[j] =
        same[i]?.[j] === true
          ? lengthAt(i + 1, j + 1) + 1
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (same[i]?.[j] === true) pairs.push([i++, j++]);
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

const sizeOf = (nodes: readonly Node[]) => nodes.reduce((size, { nodeSize }) => size + nodeSize, 0);

function inlineRanges(before: Node, after: Node, start: number): number[] {
  const ranges: number[] = [];
  narrowChange(before, after)?.forEach((from, to, newFrom, newTo) =>
    ranges.push(start + from, to - from, newTo - newFrom),
  );
  return ranges;
}

/**
 * Returns the ranges in which the content of two nodes, which begins at `start`, differs. Blocks
 * are compared one by one, and a line has one range.
 */
function rangesOf(before: Node, after: Node, start: number): number[] {
  if (before.inlineContent || after.inlineContent || before.isLeaf)
    return inlineRanges(before, after, start);
  const least = Math.min(before.childCount, after.childCount);
  let left = 0;
  while (left < least && before.child(left).eq(after.child(left))) left += 1;
  let right = 0;
  while (
    right < least - left &&
    before.child(before.childCount - 1 - right).eq(after.child(after.childCount - 1 - right))
  )
    right += 1;
  const was = before.content.content.slice(left, before.childCount - right);
  const is = after.content.content.slice(left, after.childCount - right);
  let at = start + sizeOf(before.content.content.slice(0, left));
  const pairs = equalPairs(was, is);
  pairs.push([was.length, is.length]);
  const ranges: number[] = [];
  let [i, j] = [0, 0];
  for (const [a, b] of pairs) {
    const [gone, come] = [was.slice(i, a), is.slice(j, b)];
    if (
      gone.length === come.length &&
      gone.every(({ type }, index) => type === come[index]?.type)
    ) {
      for (const [index, node] of gone.entries()) {
        const other = come[index];
        if (other) ranges.push(...rangesOf(node, other, at + 1));
        at += node.nodeSize;
      }
    } else {
      ranges.push(at, sizeOf(gone), sizeOf(come));
      at += sizeOf(gone);
    }
    at += was[a]?.nodeSize ?? 0;
    i = a + 1;
    j = b + 1;
  }
  return ranges;
}

/** Returns the differences between two documents, as a step map with a range for each. */
export function contentChange(before: Node, after: Node): StepMap {
  return new StepMap(rangesOf(before, after, 0));
}
