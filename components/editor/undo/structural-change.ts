import type { Node } from "@tiptap/pm/model";
import { StepMap } from "@tiptap/pm/transform";

function lettersBetween(doc: Node, from: number, to: number): string {
  let letters = "";
  doc.nodesBetween(from, to, (node, at) => {
    letters += node.text?.slice(Math.max(0, from - at), to - at) ?? "";
  });
  return letters;
}

/**
 * Returns the marks before each letter of a range, and after the last letter: leaves, and the
 * starts and ends of blocks.
 */
function marksBetween(doc: Node, from: number, to: number): string[][] {
  const marks: string[][] = [[]];
  const mark = (name: string) => marks.at(-1)?.push(name);
  const walk = (parent: Node, start: number) => {
    parent.forEach((node, offset) => {
      const at = start + offset;
      const end = at + node.nodeSize;
      if (end <= from || at >= to) return;
      if (node.isText)
        for (let letter = Math.max(from, at); letter < Math.min(to, end); letter += 1)
          marks.push([]);
      else if (node.isLeaf) mark(node.type.name);
      else {
        if (at >= from) mark(`<${node.type.name}`);
        walk(node, at + 1);
        if (end <= to) mark(">");
      }
    });
  };
  walk(doc, 0);
  return marks;
}

/**
 * Returns the map of a change that kept every letter between its first and last range and changed
 * only the surrounding blocks, or null for other changes. `ranges` are the ranges of a step map.
 * Yjs deletes and inserts such words again, for example when a line is split.
 */
export function structuralChange(
  before: Node,
  after: Node,
  ranges: readonly number[],
): StepMap | null {
  const [start = 0] = ranges;
  let oldEnd = start;
  let shift = 0;
  for (let at = 0; at < ranges.length; at += 3) {
    const [from = 0, removed = 0, added = 0] = ranges.slice(at, at + 3);
    oldEnd = from + removed;
    shift += added - removed;
  }
  const letters = lettersBetween(before, start, oldEnd);
  // Checked first, because collecting the marks of a wholly changed text takes many times as long.
  if (letters === "" || letters !== lettersBetween(after, start, oldEnd + shift)) return null;
  const now = marksBetween(after, start, oldEnd + shift);
  const changed: number[] = [];
  let at = start;
  marksBetween(before, start, oldEnd).forEach((was, index) => {
    const is = now[index] ?? [];
    let same = 0;
    while (same < was.length && same < is.length && was[same] === is[same]) same += 1;
    let last = 0;
    while (
      last < was.length - same &&
      last < is.length - same &&
      was.at(-1 - last) === is.at(-1 - last)
    )
      last += 1;
    const [removed, added] = [was.length - same - last, is.length - same - last];
    if (removed > 0 || added > 0) changed.push(at + same, removed, added);
    at += was.length + 1;
  });
  return new StepMap(changed);
}
