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

/** Whether a revision's insertions, deletions or restores count as not done. */
type Undone = Record<"undone" | "removalUndone" | "returnUndone", (revision: number) => boolean> & {
  /** The fate of others' words that were restored then. */
  returning: "stays" | "goes";
};

/**
 * The unit of a letter or node that would stand if the changes of some revisions had not been made;
 * null if none would.
 */
function standingUnit(
  chain: readonly Link[],
  { undone, removalUndone, returnUndone, returning }: Undone,
  canStand: (unit: Id) => boolean,
): Id | null {
  const [first] = chain;
  if (!first || undone(first.born)) return null;
  const standing = chain.find(stillStands) ?? null;
  // Letters that those revisions did not touch stay as they are, whatever has been reverted since.
  if (!chain.some(({ born, died }) => undone(born) || undone(died))) return standing;
  let stands = true;
  /** Its place: text that an edit rewrote elsewhere stands there, unless that edit is reverted. */
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
  // A unit that a restore also moved stays where it stands.
  if (standing && chain.some(({ moved }, index) => index > 0 && !moved)) return standing;
  const wanted = instead.get(at) ?? at;
  const there = chain.filter(({ place }) => place === wanted);
  const chosen = there.find(stillStands) ?? there.at(-1) ?? null;
  return chosen && canStand(chosen) ? chosen : (standing ?? chosen);
}

/**
 * The text without the changes of some revisions: their insertions are removed, even where they
 * were restored since; their deletions come back. Later changes of others stay: what they wrote is
 * kept, and what they deleted does not return. `returning` is the fate of others' words that were
 * restored then.
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
