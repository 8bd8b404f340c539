import { bodyOf } from "@/events/core/recorded-body";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * An event that restored deleted text: its revisions, and a test (`means`) of the deleted text that
 * it may restore.
 */
export type Return = {
  version: number;
  actorId: string;
  first: number;
  last: number;
  means: (born: number, died: number) => boolean;
  /** The last revision before the versions that the event names, and the last revision of these. */
  span: [since: number, until: number];
  /** The author and versions that were reverted, or null if a version or passage was restored. */
  takesBack: { author: string; from: number; to: number } | null;
};

/** Returns the events that restored or reverted text, in order. */
export function returnsOf({ marks, ofVersion }: Pick<Timeline, "marks" | "ofVersion">): Return[] {
  return marks.flatMap((mark): Return[] => {
    const { version, revision, actorId } = mark;
    const reworked = bodyOf(mark, "document.reworked");
    const from = reworked?.from ?? null;
    const then = bodyOf(mark, "document.reverted")?.toVersion ?? reworked?.to;
    const first = ofVersion(version - 1) + 1;
    // The database accepts such an event only if it names earlier versions.
    if (then === undefined || then >= version || first > revision) return [];
    const until = ofVersion(then);
    const since = ofVersion((from ?? then) - 1);
    // Reverting a person's changes restores the text that was deleted in them. Restoring a revision
    // restores the text that stood at that revision.
    const means =
      from === null
        ? (born: number, died: number) => born <= until && died > since
        : (_: number, died: number) => died > since && died <= until;
    const author = reworked?.author ?? null;
    const takesBack = from === null || author === null ? null : { author, from, to: then };
    return [{ version, actorId, first, last: revision, means, span: [since, until], takesBack }];
  });
}

/**
 * Returns a predicate: whether a revision belongs to an undone restore or to its undo, which
 * together have no effect. A restore takes effect again if its undo is undone. An undo is ignored
 * if `left` leaves out its revision but not the revision of its target.
 */
export function undoneReturns(
  returns: readonly Return[],
  left: (revision: number) => boolean = () => false,
): (revision: number) => boolean {
  const undone = new Set<Return>();
  for (const event of returns.toReversed()) {
    const { takesBack } = event;
    if (takesBack === null || undone.has(event)) continue;
    // The undo of an event names only that event. A revert of a range of a person's versions
    // changes more.
    if (takesBack.from !== takesBack.to) continue;
    const target = returns.find(
      ({ version, actorId }) => version === takesBack.from && actorId === takesBack.author,
    );
    if (!target || (left(event.first) && !left(target.first))) continue;
    undone.add(target);
    undone.add(event);
  }
  return (revision) => {
    for (const { first, last } of undone) if (revision >= first && revision <= last) return true;
    return false;
  };
}
