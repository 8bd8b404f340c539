import { returnsOf } from "@/events/analysis/lineage/returns";
import type { Id } from "@/events/crdt/updates/yjs-update";
import { stillStands } from "@/events/history/recorded-document";
import type { RecordedDocument } from "@/events/history/recorded-document";
import type { Timeline } from "@/events/history/timeline/timeline";
import { LineageChains } from "./lineage-chains";
import type { Link } from "./lineage-chains";
import { without } from "./keeping";
import type { Keeping } from "./keeping";

type IsUndone = (revision: number) => boolean;

/** Returns the unit itself, or the earlier unit that edits have rewritten as this unit. */
function broughtAs(chain: readonly Link[], unit: Link): Link {
  let index = chain.indexOf(unit);
  while (index > 0 && chain[index]?.moved === true) index -= 1;
  return chain[index] ?? unit;
}

/**
 * Returns the unit of a letter or node that stands without some events. At most one unit stands,
 * even if later events restored others.
 */
function standingWithout(chain: readonly Link[], undone: IsUndone): Id | null {
  const keeps = without(undone);
  const kept = chain.filter(keeps);
  const standing = chain.find(stillStands);
  if (!standing || !keeps(standing)) return kept.at(-1) ?? null;
  // Content that those events inserted is removed, even if it was moved since. Content that they
  // both deleted and inserted was only moved, and stays.
  if (undone(broughtAs(chain, standing).born) && !chain.some(({ died }) => undone(died)))
    return null;
  return standing;
}

/**
 * Selects the text without some events that later ones follow. Their insertions are removed. Their
 * deletions return unless they have already returned.
 */
export function withoutEvents(
  timeline: Timeline,
  record: RecordedDocument,
  undone: IsUndone,
): Keeping {
  const chains = new LineageChains(timeline, record, returnsOf(timeline));
  return {
    keepPredicate: chains.deciding((chain) => standingWithout(chain, undone)),
    chainOf: chains.idsOf,
  };
}
