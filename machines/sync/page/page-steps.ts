import type * as Y from "yjs";
import { blockPieces, updateWeight } from "@/events/crdt/updates/block-pieces";
import { type InspectedUpdate } from "@/events/crdt/updates/update-inspection";

/** What the log has accepted, as it is shown. */
type Logged = { update: Uint8Array; inspected: Pick<InspectedUpdate, "parts"> };

/** How many structs and deletions of a large update are shown in one step. */
const atOnce = 200;
/**
 * Into how many steps a reading goes at most, but for the pieces of updates that are heavier than
 * such a step: each of them is a change of the editor, too.
 */
const mostSteps = 32;

/**
 * Groups updates into steps that a page takes one after the other, small ones together and a large
 * one in pieces, which are cut when it is its turn: the page has taken all before it then.
 * `fragment` answers the text that the page shows now.
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
    // Cutting it has been work enough for one turn.
    if (pieces.length > 1) yield [];
    for (const piece of pieces) yield [piece];
  }
  if (step.length > 0) yield step;
}
