import { returnsOf, undoneReturns } from "@/events/analysis/lineage/returns";
import { rewritingOf, rewritingThroughMerges } from "@/events/analysis/rewriting";
import { never } from "@/events/crdt/updates/lifespans";
import type { Id } from "@/events/crdt/updates/yjs-update";
import { stillStands } from "@/events/history/recorded-document";
import type { RecordedDocument } from "@/events/history/recorded-document";
import type { Timeline } from "@/events/history/timeline/timeline";
import { LineageChains } from "./selective/lineage-chains";
import type { Link } from "./selective/lineage-chains";
import type { Keeping } from "./selective/keeping";

/** Whether a revision's insertions, deletions or restores count as not made. */
type Undone = Record<"undone" | "removalUndone" | "returnUndone", (revision: number) => boolean> & {
  /** The fate of others' words that those revisions restored. */
  returning: "stays" | "goes";
};

/**
 * Returns the unit of a letter or node that would stand if the changes of some revisions had not
 * been made, or null if none would.
 */
function standingUnit(
  chain: readonly Link[],
  { undone, removalUndone, returnUndone, returning }: Undone,
  canStand: (unit: Id) => boolean,
): Id | null {
  const [first] = chain;
  if (!first || undone(first.born)) return null;
  const standing = chain.find(stillStands) ?? null;
  // Letters that those revisions did not touch stay as they are, even after later reverts.
  if (!chain.some(({ born, died }) => undone(born) || undone(died))) return standing;
  let stands = true;
  /** The place where the unit stands: an edit that rewrote it moves it, unless that is reverted. */
  let at = first.place;
  const instead = new Map<string, string>();
  for (const [index, { born, died, place, moved }] of chain.entries()) {
    if (index > 0 && moved) {
      if (undone(born)) instead.set(place, instead.get(at) ?? at);
      at = place;
    } else if (index > 0 && !returnUndone(born)) {
      stands = true;
      at = place;
    }
    const movesOn = chain[index + 1]?.moved === true;
    if (died !== never && !movesOn && !removalUndone(died)) stands = false;
  }
  if (!stands) return returning === "stays" ? standing : null;
  // If a restore brought the unit back, its standing copy stays where it is.
  if (standing && chain.some(({ moved }, index) => index > 0 && !moved)) return standing;
  const wanted = instead.get(at) ?? at;
  const there = chain.filter(({ place }) => place === wanted);
  const chosen = there.find(stillStands) ?? there.at(-1) ?? null;
  return chosen && canStand(chosen) ? chosen : (standing ?? chosen);
}

/**
 * Selects the text without the changes of some revisions. Their insertions are removed, even if
 * they were restored since; their deletions return. Later changes of others stay: text that they
 * wrote is kept, and text that they deleted does not return. `returning` is the fate of others'
 * words that those revisions restored.
 */
export function withoutWriting(
  timeline: Timeline,
  record: RecordedDocument,
  undone: (revision: number) => boolean,
  returning: "stays" | "goes",
): Keeping {
  const returns = returnsOf(timeline);
  const rewriting =
    returning === "stays" ? rewritingThroughMerges(timeline) : rewritingOf(timeline);
  const chains = new LineageChains(timeline, record, returns, rewriting);
  const isUndone = undoneReturns(returns, undone);
  const revisions: Undone = {
    undone,
    returning,
    removalUndone: (revision) => undone(revision) || isUndone(revision),
    returnUndone: (revision) => (returning === "goes" && undone(revision)) || isUndone(revision),
  };
  /** Whether the nodes around a letter stand or return. */
  const hasBlock = (unit: Id): boolean => {
    for (const { id, deleted } of chains.blocksAround(unit))
      if (deleted && !keepPredicate(record.lifeOf(id.client, id.clock))) return false;
    return true;
  };
  const keepPredicate = chains.deciding((chain) => standingUnit(chain, revisions, hasBlock));
  return { keepPredicate, chainOf: chains.idsOf };
}
