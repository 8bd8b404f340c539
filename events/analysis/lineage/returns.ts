import { bodyOf } from "@/events/core/recorded-body";
import { type Timeline } from "@/events/history/timeline/timeline";

/** An event that brought back what had gone: its revisions, and which of what was gone by then it may have meant. */
export type Return = {
  version: number;
  actorId: string;
  first: number;
  last: number;
  means: (born: number, died: number) => boolean;
  /** The last revision before those that it names, and the last of those. */
  span: [since: number, until: number];
  /** Whose versions it took back; null for one that brought back a version or a passage. */
  takesBack: { author: string; from: number; to: number } | null;
};

/** The events that restored, took back or brought back something, in order. */
export function returnsOf({ marks, ofVersion }: Pick<Timeline, "marks" | "ofVersion">): Return[] {
  return marks.flatMap((mark): Return[] => {
    const { version, revision, actorId } = mark;
    const reworked = bodyOf(mark, "document.reworked");
    const from = reworked?.from ?? null;
    const then = bodyOf(mark, "document.reverted")?.toVersion ?? reworked?.to;
    const first = ofVersion(version - 1) + 1;
    // The database holds such an event to versions that had been reached before it.
    if (then === undefined || then >= version || first > revision) return [];
    const until = ofVersion(then);
    const since = ofVersion((from ?? then) - 1);
    // What one person did is taken back by what went then, a revision by what stood in it.
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
 * Whether a revision is of a return that was undone, or of what undid it: together they did nothing. A return that was
 * undone and whose undo was undone in turn did something. Undos whose revisions are `left` out, and not
 * those of what they undid, count as never made.
 */
export function undoneReturns(
  returns: readonly Return[],
  left: (revision: number) => boolean = () => false,
): (revision: number) => boolean {
  const undone = new Set<Return>();
  for (const event of returns.toReversed()) {
    const { takesBack } = event;
    if (takesBack === null || undone.has(event)) continue;
    // What undoes one event names it alone; what takes back a time of somebody's writing does more.
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
