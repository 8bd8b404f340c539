import type { Node } from "@tiptap/pm/model";
import { StepMap } from "@tiptap/pm/transform";

/** The positions of a range: each letter, each leaf, and where each block begins and ends. */
function tokensBetween(
  doc: Node,
  from: number,
  to: number,
): { letters: string; marks: string[][] } {
  let letters = "";
  // What stands before each letter, and behind the last.
  const marks: string[][] = [[]];
  const mark = (name: string) => marks.at(-1)?.push(name);
  const letter = (one: string) => {
    letters += one;
    marks.push([]);
  };
  const walk = (parent: Node, start: number) => {
    parent.forEach((node, offset) => {
      const at = start + offset;
      const end = at + node.nodeSize;
      if (end <= from || at >= to) return;
      if (node.isText)
        for (const unit of node.text?.slice(Math.max(0, from - at), to - at).split("") ?? [])
          letter(unit);
      else if (node.isLeaf) mark(node.type.name);
      else {
        if (at >= from) mark(`<${node.type.name}`);
        walk(node, at + 1);
        if (end <= to) mark(">");
      }
    });
  };
  walk(doc, 0);
  return { letters, marks };
}

/**
 * The map of a change that left every letter between its first and its last range as it was, and
 * changed only the blocks they stand in; null of any other. `ranges` are those of a step map. Yjs
 * writes such words anew, by whoever splits a line.
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
  const old = tokensBetween(before, start, oldEnd);
  const now = tokensBetween(after, start, oldEnd + shift);
  if (old.letters === "" || old.letters !== now.letters) return null;
  const changed: number[] = [];
  let at = start;
  old.marks.forEach((was, index) => {
    const is = now.marks[index] ?? [];
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
