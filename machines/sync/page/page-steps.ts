import type * as Y from "yjs";
import { blockPieces, updateWeight } from "@/events/crdt/updates/block-pieces";
import type { InspectedUpdate } from "@/events/crdt/updates/update-inspection";

/** An accepted edit of the log that the page has to show. */
type Logged = { update: Uint8Array; inspected: Pick<InspectedUpdate, "parts"> };

/** Maximum number of structs and deletions of a large update in one step. */
const atOnce = 200;
/**
 * Maximum number of steps per read, without the pieces of updates heavier than a step. Each step is
 * also a change for the editor.
 */
const mostSteps = 32;

/**
 * Groups updates into steps that a page applies one after the other. Small updates share a step,
 * and a large update is cut into pieces once the page has applied all updates before it. `fragment`
 * returns the text that the page shows at that time.
 */
export function* pageSteps(
  logged: readonly Logged[],
  fragment: () => Y.XmlFragment,
): Generator<Uint8Array[], void, undefined> {
  const weights = logged.map(({ inspected }) => updateWeight(inspected.parts));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const together = Math.max(atOnce, all / mostSteps);
  let step: Uint8Array[] = [];
  let held = 0;
  for (const [index, { update, inspected }] of logged.entries()) {
    const weight = weights[index] ?? 0;
    if (step.length > 0 && held + weight > together) {
      yield step;
      [step, held] = [[], 0];
    }
    if (weight <= together) {
      step.push(update);
      held += weight;
      continue;
    }
    const pieces = blockPieces({ update, ...inspected }, fragment(), atOnce);
    // Cutting the update has used up this turn.
    if (pieces.length > 1) yield [];
    for (const piece of pieces) yield [piece];
  }
  if (step.length > 0) yield step;
}
