import type { Node } from "@tiptap/pm/model";
import { StepMap } from "@tiptap/pm/transform";

/**
 * The change between two documents as one step map, from the first difference to the last; null
 * when they are equal. The binding replaces the whole document for every remote letter, so its own
 * map says nothing about the place.
 */
export function narrowChange(before: Node, after: Node): StepMap | null {
  // Several plugins ask for the same change, and computing it takes linear time.
  if (last?.before !== before || last.after !== after)
    last = { before, after, change: changeBetween(before, after) };
  return last.change;
}

let last: { before: Node; after: Node; change: StepMap | null } | null = null;

function changeBetween(before: Node, after: Node): StepMap | null {
  const start = before.content.findDiffStart(after.content);
  const end = before.content.findDiffEnd(after.content);
  if (start === null || end === null) return null;
  // The two searches overlap when inserted content repeats the content beside it.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  return new StepMap([start, end.a + overlap - start, end.b + overlap - start]);
}
