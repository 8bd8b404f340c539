import { bodyOf } from "@/events/core/recorded-body";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * An event that brought deleted text back: its revisions, and which deleted text it may refer to.
 */
export type Return = {
  version: number;
  actorId: string;
  first: number;
  last: number;
  means: (born: number, died: number) => boolean;
  /** The last revision before the versions that it names, and the last of those. */
  span: [since: number, until: number];
  /** The author and versions that it reverted; null if it restored a version or a passage. */
  takesBack: { author: string; from: number; to: number } | null;
};

/** The events that restored or reverted something, in order. */
export function returnsOf({ marks, ofVersion }: Pick<Timeline, "marks" | "ofVersion">): Return[] {
  return marks.flatMap((mark): Return[] => {
    const { version, revision, actorId } = mark;
    const reworked = bodyOf(mark, "document.reworked");
    const from = reworked?.from ?? null;
    const then = bodyOf(mark, "document.reverted")?.toVersion ?? reworked?.to;
    const first = ofVersion(version - 1) + 1;
    // The database accepts such an event only for versions before it.
    if (then === undefined || then >= version || first > revision) return [];
    const until = ofVersion(then);
    const since = ofVersion((from ?? then) - 1);
    // Reverting a person's changes returns what was deleted then; restoring a revision returns what
    // stood in it.
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
 * Whether a revision belongs to an undone restore, or to its undo: together they did nothing. A
 * restore whose undo was undone in turn counts. Undos whose revisions are `left` out, while those
 * of their targets are not, count as never made.
 */
export function undoneReturns(
  returns: readonly Return[],
  left: (revision: number) => boolean = () => false,
): (revision: number) => boolean {
  const undone = new Set<Return>();
  for (const event of returns.toReversed()) {
    const { takesBack } = event;
    if (takesBack === null || undone.has(event)) continue;
    // The undo of an event names only that event; reverting a range of a person's versions does
    // more.
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
