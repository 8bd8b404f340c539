import type { Id } from "@/events/crdt/updates/yjs-update";
import { stillStands } from "@/events/history/recorded-document";
import type { LivedUnit } from "@/events/history/recorded-document";

/** Whether a unit of a document's history is to stand in the text. */
export type KeepPredicate = (unit: LivedUnit) => boolean;

/** The units that a restored text keeps. */
export type Keeping = {
  keepPredicate: KeepPredicate;
  /** The successive units of one letter or node; by default each unit is its own. */
  chainOf?: (unit: LivedUnit) => readonly Id[];
};

/** The text as it stood at a revision. */
export function asAt(revision: number): KeepPredicate {
  return ({ born, died }) => born <= revision && died > revision;
}

/**
 * The text without one event: its insertions are removed, its deletions come back. Later changes of
 * others stay: what they wrote is kept, and what they deleted does not return.
 */
export function without(undone: (revision: number) => boolean): KeepPredicate {
  return ({ born, died }) => !undone(born) && (stillStands({ died }) || undone(died));
}

/** One passage as it stood at a revision, and everything else as it stands. */
export function passageAsAt(
  revision: number,
  inPassage: (unit: LivedUnit) => boolean,
): KeepPredicate {
  const then = asAt(revision);
  return (unit) => (inPassage(unit) ? then(unit) : stillStands(unit));
}
