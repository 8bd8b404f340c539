import { type Id } from "@/events/crdt/updates/yjs-update";
import { type LivedUnit, stillStands } from "@/events/history/recorded-document";

/** Whether something that was ever written is to stand in the text. */
export type KeepPredicate = (unit: LivedUnit) => boolean;

/** The units that a restored text keeps. */
export type Keeping = {
  keepPredicate: KeepPredicate;
  /** The units that a letter or a node was, one after the other; without it, each is its own. */
  chainOf?: (unit: LivedUnit) => readonly Id[];
};

/** The text as it stood at a revision. */
export function asAt(revision: number): KeepPredicate {
  return ({ born, died }) => born <= revision && died > revision;
}

/**
 * The text without what one event did: what came then goes, what went then comes back. What others did since stays:
 * they keep what they wrote, and what they took away does not return.
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
