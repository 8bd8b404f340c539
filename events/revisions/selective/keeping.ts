import type { Id } from "@/events/crdt/updates/yjs-update";
import { stillStands } from "@/events/history/recorded-document";
import type { LivedUnit } from "@/events/history/recorded-document";

/** Returns whether a unit of a document's history is to stand in the text. */
export type KeepPredicate = (unit: LivedUnit) => boolean;

/** The units that a restored text keeps. */
export type Keeping = {
  keepPredicate: KeepPredicate;
  /** Returns the successive units of one letter or node. By default, each unit is separate. */
  chainOf?: (unit: LivedUnit) => readonly Id[];
};

/** Selects the text as it stood at a revision. */
export function asAt(revision: number): KeepPredicate {
  return ({ born, died }) => born <= revision && died > revision;
}

/**
 * Selects the text without one event: its insertions are removed, its deletions return. Later
 * changes of others stay: text that they wrote is kept, and text that they deleted does not return.
 */
export function without(undone: (revision: number) => boolean): KeepPredicate {
  return ({ born, died }) => !undone(born) && (stillStands({ died }) || undone(died));
}

/** Selects one passage as it stood at a revision, and all other text as it stands. */
export function passageAsAt(
  revision: number,
  inPassage: (unit: LivedUnit) => boolean,
): KeepPredicate {
  const then = asAt(revision);
  return (unit) => (inPassage(unit) ? then(unit) : stillStands(unit));
}
