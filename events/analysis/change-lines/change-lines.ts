import { comparing } from "@/events/analysis/comparison/comparison";
import { roleOf } from "@/events/analysis/comparison/node-roles";
import { finished } from "@/events/analysis/comparison/paused-work";
import { isImportedAuthorKey } from "@/events/history/timeline/imported-history";
import { sectionsOf } from "@/events/history/timeline/sections";
import type { Span } from "@/events/history/timeline/timing-map";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { ChangeLine } from "@/events/read-models/change-lines";
import { changedWords } from "./changed-words";
import type { WordChange } from "./changed-words";
import { linePartsOf, wordsChanged } from "./line-parts";
import { markLines } from "./mark-lines";
import type { MarkLine } from "./mark-lines";
import { sessionAt } from "./session-stretches";
import type { Stretch } from "./session-stretches";

/** A line without its document id, which the caller knows. */
export type OwnLine = Omit<ChangeLine, "documentId">;

/** Returns the changes of the text in one span of a stretch of writing. */
function changesIn(timeline: Timeline, { from, to }: Span): WordChange[] {
  const { authorOf } = timeline;
  const { rows } = finished(comparing(timeline, { from: from - 1, to, roleOf, folded: true }));
  const section = sectionsOf(timeline);
  return changedWords({
    rows,
    authorOf,
    headingOf: ({ still }) => (still && section(still.index, to)) ?? "",
  });
}

const iso = (time: number) => new Date(time).toISOString();

function linesOfStretch(timeline: Timeline, stretch: Stretch): OwnLine[] {
  const changes = stretch.spans.flatMap((span) => changesIn(timeline, span));
  return stretch.turns.map(({ author, first, last }) => {
    const own = changes.filter((change) => change.author === author);
    return {
      actorId: timeline.authors[author] ?? "",
      from: timeline.revision(first).version,
      to: timeline.revision(last).version,
      began: iso(timeline.timeOf(first)),
      at: iso(timeline.timeOf(last)),
      ...wordsChanged(own),
      changes: own.length,
      parts: linePartsOf(own),
    };
  });
}

function lineOfMark(timeline: Timeline, { first, last, part }: MarkLine): OwnLine {
  return {
    actorId: last.actorId,
    from: first.version,
    to: last.version,
    began: iso(timeline.timeOf(first.revision)),
    at: iso(timeline.timeOf(last.revision)),
    // Restored text was written and deleted before.
    added: 0,
    removed: 0,
    changes: 1,
    parts: [part],
  };
}

/** Joins the line of a document's creation with its author's writing in the same session. */
function withBeginning(lines: OwnLine[]): OwnLine[] {
  const began = lines.find(({ from }) => from === 1);
  const wrote =
    began &&
    lines.find(
      ({ from, actorId, parts }) =>
        from > 1 &&
        actorId === began.actorId &&
        parts[0]?.kind !== "event" &&
        parts.some(isWriting),
    );
  if (!began || !wrote || began.parts[0]?.kind !== "event") return lines;
  const both: OwnLine = {
    ...wrote,
    from: 1,
    began: began.began,
    parts: [{ kind: "began", words: wrote.added }],
  };
  return lines.flatMap((line) => (line === began ? [] : line === wrote ? [both] : [line]));
}

const writing: ReadonlySet<string> = new Set(["added", "removed", "replaced", "rewrote"]);
const isWriting = ({ kind }: OwnLine["parts"][number]) => writing.has(kind);

/** Returns the lines of one session of a history, ordered by their last version. */
export function linesOfSession(timeline: Timeline, session: number): OwnLine[] {
  const { stretches, marks } = sessionAt(timeline, session);
  const lines = [
    ...stretches.flatMap((stretch) => linesOfStretch(timeline, stretch)),
    ...markLines(timeline, marks).map((line) => lineOfMark(timeline, line)),
  ];
  // Authors of imported steps get no line, because they did nothing in this document.
  const here = withBeginning(lines).filter(({ actorId }) => !isImportedAuthorKey(actorId));
  return here.sort((a, b) => a.to - b.to || a.from - b.from);
}
