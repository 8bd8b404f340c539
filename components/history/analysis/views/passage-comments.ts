import type { EventTypeOf } from "@/events/core/event-types";
import { bodyOf } from "@/events/core/recorded-body";
import { entryOf } from "@/events/core/table-entry";
import { whereIs } from "@/events/analysis/anchors/anchor";
import type { Anchor, AnchoredText } from "@/events/analysis/anchors/anchor";
import { pastText } from "@/events/analysis/anchors/past-anchor";
import { standsOf } from "@/events/analysis/passage";
import type { PassageRange } from "@/events/analysis/passage";
import { rewritingOf } from "@/events/analysis/rewriting";
import { scriptOf, textAt } from "@/events/history/timeline/script";
import type { Place, Script } from "@/events/history/timeline/script";
import type { Spot } from "@/events/crdt/updates/letters";
import type { Mark, Timeline } from "@/events/history/timeline/timeline";
import { anchorPlace } from "@/events/analysis/anchors/anchor-place";

/** A comment on a passage, or a change of its thread. */
export type PassageComment = {
  id: string;
  revision: number;
  author: number;
  action: string;
  text: string;
};

const threadActions: Readonly<Record<EventTypeOf<"thread">, string | null>> = {
  "thread.opened": null,
  "thread.resolved": "resolved the comment",
  "thread.reopened": "reopened the comment",
};

type Stands = ReturnType<typeof standsOf>;

/**
 * Whether a passage lies between a thread's first and last character. The characters may have been
 * copied elsewhere.
 */
function isAround(script: Script, { start, end }: Anchor, stands: Stands): boolean {
  const first = anchorPlace(script, start);
  if (!first) return false;
  const last = anchorPlace(script, end) ?? {
    textblock: first.textblock,
    offset: script.textblocks[first.textblock]?.text.length ?? 0,
  };
  return [...stands].some(([textblock, [from, to]]) => {
    if (textblock < first.textblock || textblock > last.textblock) return false;
    return (
      (textblock > first.textblock || first.offset < to) &&
      (textblock < last.textblock || last.offset >= from)
    );
  });
}

const isBefore = (one: Spot, other: Spot) =>
  one.textblock < other.textblock ||
  (one.textblock === other.textblock && one.offset < other.offset);

/** Whether a thread's words overlap a passage at a revision. */
function isThere(
  script: Script,
  anchor: Anchor,
  { start, end }: PassageRange,
  at: number,
  text: AnchoredText,
): boolean {
  const where = whereIs(anchor, text);
  if (where.state === "gone") return false;
  const spot = ({ textblock, offset }: Place, behind: number): Spot => {
    const own = script.textblocks[textblock];
    return { textblock, offset: own ? textAt(own, at, 0, offset + behind).length : 0 };
  };
  return isBefore(where.from, spot(end, 1)) && isBefore(spot(start, 0), where.to);
}

function anchorIn(mark: Mark): Anchor | null {
  const { start, end, quote } = bodyOf(mark, "thread.opened") ?? {};
  return start === undefined ? null : { start, end: end ?? start, quote: quote ?? "" };
}

/**
 * Returns the comments on a passage at a revision, in order: those of the threads whose words
 * overlap the passage, with replies.
 */
export function commentsOn(timeline: Timeline, range: PassageRange, at: number): PassageComment[] {
  const script = scriptOf(timeline);
  const [stands, text] = [standsOf(timeline, range), pastText(timeline, rewritingOf(timeline), at)];
  const isOn = (anchor: Anchor | null) =>
    anchor !== null &&
    (isAround(script, anchor, stands) || isThere(script, anchor, range, at, text));
  const threads = new Set<string>();
  return timeline.marks.flatMap((mark) => {
    const { id, type, revision, subject } = mark;
    if (isOn(anchorIn(mark))) threads.add(subject.id);
    const commentEntry = (action: string, text: string | undefined) => [
      { id, revision, author: timeline.authorOf(revision), action, text: text ?? "" },
    ];
    const added = bodyOf(mark, "comment.added");
    if (threads.has(added?.thread ?? "")) return commentEntry("commented", added?.text);
    const action = entryOf(threadActions, type) ?? null;
    return action !== null && threads.has(subject.id) ? commentEntry(action, undefined) : [];
  });
}
