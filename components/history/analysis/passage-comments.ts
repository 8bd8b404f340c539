import type { EventTypeOf } from "@/events/core/event-types";
import { bodyOf } from "@/events/core/recorded-body";
import { entryOf } from "@/events/core/table-entry";
import { type Anchor, type AnchoredText, whereIs } from "@/events/analysis/anchors/anchor";
import { pastText } from "@/events/analysis/anchors/past-anchor";
import { type PassageRange, standsOf } from "@/events/analysis/passage";
import { type Place, type Script, scriptOf, textAt } from "@/events/history/timeline/script";
import { type Spot } from "@/events/crdt/updates/letters";
import { type Mark, type Timeline } from "@/events/history/timeline/timeline";
import { anchorPlace } from "@/events/analysis/anchors/anchor-place";

/** Something said about a passage, or done with a thread about it. */
export type PassageComment = {
  id: string;
  moment: number;
  author: number;
  deed: string;
  text: string;
};

const threadDeeds: Readonly<Record<EventTypeOf<"thread">, string | null>> = {
  "thread.opened": null,
  "thread.resolved": "resolved the thread",
  "thread.reopened": "reopened the thread",
};

type Stands = ReturnType<typeof standsOf>;

/** Whether a thread's own first and last character have a passage's between them, wherever either was written anew. */
function isAround(script: Script, { start, end }: Anchor, stands: Stands): boolean {
  const first = anchorPlace(script, start);
  if (!first) return false;
  const last = anchorPlace(script, end) ?? {
    line: first.line,
    offset: script.lines[first.line]?.text.length ?? 0,
  };
  return [...stands].some(([line, [from, to]]) => {
    if (line < first.line || line > last.line) return false;
    return (line > first.line || first.offset < to) && (line < last.line || last.offset >= from);
  });
}

const isBefore = (one: Spot, other: Spot) =>
  one.line < other.line || (one.line === other.line && one.offset < other.offset);

/** Whether a thread's words are among those of a passage at a moment. */
function isThere(
  script: Script,
  anchor: Anchor,
  { start, end }: PassageRange,
  at: number,
  text: AnchoredText,
): boolean {
  const where = whereIs(anchor, text);
  if (where.state === "gone") return false;
  const spot = ({ line, offset }: Place, behind: number): Spot => {
    const own = script.lines[line];
    return { line, offset: own ? textAt(own, at, 0, offset + behind).length : 0 };
  };
  return isBefore(where.from, spot(end, 1)) && isBefore(spot(start, 0), where.to);
}

function anchorIn(mark: Mark): Anchor | null {
  const { start, end, quote } = bodyOf(mark, "thread.opened") ?? {};
  return start === undefined ? null : { start, end: end ?? start, quote: quote ?? "" };
}

/** What was said about a passage of the text at a moment, in order: the threads whose words overlap it, with their answers. */
export function commentsOn(timeline: Timeline, range: PassageRange, at: number): PassageComment[] {
  const script = scriptOf(timeline);
  const [stands, text] = [standsOf(timeline, range), pastText(script, at)];
  const isOn = (anchor: Anchor | null) =>
    anchor !== null &&
    (isAround(script, anchor, stands) || isThere(script, anchor, range, at, text));
  const threads = new Set<string>();
  return timeline.marks.flatMap((mark) => {
    const { id, type, moment, subject } = mark;
    if (isOn(anchorIn(mark))) threads.add(subject.id);
    const said = (deed: string, text: string | undefined) => [
      { id, moment, author: timeline.authorOf(moment), deed, text: text ?? "" },
    ];
    const added = bodyOf(mark, "comment.added");
    if (threads.has(added?.thread ?? "")) return said("commented", added?.text);
    const deed = entryOf(threadDeeds, type) ?? null;
    return deed !== null && threads.has(subject.id) ? said(deed, undefined) : [];
  });
}
