import type { Node } from "@tiptap/pm/model";
import { StepMap } from "@tiptap/pm/transform";

/**
 * Returns the change between two documents as one step map, from the first difference to the last,
 * or null if they are equal. The binding replaces the whole document for every remote letter, so
 * its own map does not contain the place of the letter.
 */
export function narrowChange(before: Node, after: Node): StepMap | null {
  // Cached, because several plugins need the same change and it takes linear time to compute.
  if (last?.before !== before || last.after !== after)
    last = { before, after, change: changeBetween(before, after) };
  return last.change;
}

let last: { before: Node; after: Node; change: StepMap | null } | null = null;

function changeBetween(before: Node, after: Node): StepMap | null {
  const start = before.content.findDiffStart(after.content);
  const end = before.content.findDiffEnd(after.content);
  if (start === null || end === null) return null;
  // The two searches overlap when inserted content repeats the adjacent content.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  return new StepMap([start, end.a + overlap - start, end.b + overlap - start]);
}
