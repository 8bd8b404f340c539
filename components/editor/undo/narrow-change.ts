import type { Node } from "@tiptap/pm/model";
import { StepMap } from "@tiptap/pm/transform";

/**
 * What changed between two documents as one step map, from the first difference to the last; null
 * where nothing did. The binding to the shared text replaces the whole document for every letter of
 * somebody else, which says nothing about where.
 */
export function narrowChange(before: Node, after: Node): StepMap | null {
  // Several parts of the editor ask about the same change, and the answer takes as long as the text is.
  if (last?.before !== before || last.after !== after)
    last = { before, after, change: changeBetween(before, after) };
  return last.change;
}

let last: { before: Node; after: Node; change: StepMap | null } | null = null;

function changeBetween(before: Node, after: Node): StepMap | null {
  const start = before.content.findDiffStart(after.content);
  const end = before.content.findDiffEnd(after.content);
  if (start === null || end === null) return null;
  // The two searches overlap where what came in repeats what stands beside it.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  return new StepMap([start, end.a + overlap - start, end.b + overlap - start]);
}
