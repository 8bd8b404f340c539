import type { Span } from "@/events/history/timeline/timing-map";
import type { Mark, Timeline } from "@/events/history/timeline/timeline";

/** One person's part of a stretch: its first and last revision. */
export type Turn = { author: number; first: number; last: number };
/**
 * Consecutive revisions of one session, between events that insert or delete text by other means
 * than writing. The `spans` are compared one by one. Each change of writer begins a span, so that
 * the comparison shows if one person replaces another's words. If people write at the same time,
 * there is a single span.
 */
export type Stretch = { spans: Span[]; turns: Turn[] };
/** A session: its stretches of writing, and its events other than writing. */
type Session = { stretches: Stretch[]; marks: Mark[] };

/** If a stretch has more spans than this, people wrote at the same time. */
const mostSpans = 20;

/** Events that insert or delete text by other means than writing. They end a stretch. */
const wholeTexts: ReadonlySet<string> = new Set([
  "document.reverted",
  "document.reworked",
  "document.forked",
  "document.merged",
  "document.imported",
  "document.step_imported",
]);

type OpenStretch = { spans: Span[]; author: number; turns: Map<number, Turn> };

function closed({ spans, turns }: OpenStretch): Stretch {
  const [first, last] = [spans[0], spans.at(-1)];
  const all = first && last ? [{ from: first.from, to: last.to }] : [];
  return { spans: spans.length > mostSpans ? all : spans, turns: [...turns.values()] };
}

/** Splits a session of a history at events that insert or delete text other than by writing. */
export function sessionAt(timeline: Timeline, session: number): Session {
  const span = timeline.timingMap.sessions[session];
  if (!span) return { stretches: [], marks: [] };
  const marks = timeline.marks.filter(
    ({ revision }) => revision >= span.from && revision <= span.to,
  );
  const notWritten = new Set(marks.map(({ version }) => version));
  const cuts = new Set(
    marks.flatMap(({ type, version }) => (wholeTexts.has(type) ? [version] : [])),
  );
  const stretches: Stretch[] = [];
  let open: OpenStretch | null = null;
  const close = () => {
    if (open && open.turns.size > 0) stretches.push(closed(open));
    open = null;
  };
  for (let index = span.from; index <= span.to; index += 1) {
    const { version, author } = timeline.revision(index);
    if (cuts.has(version)) {
      close();
      continue;
    }
    open ??= { spans: [], author: -1, turns: new Map() };
    const last = open.spans.at(-1);
    if (last && (notWritten.has(version) || author === open.author)) last.to = index;
    else if (!notWritten.has(version)) {
      open.spans.push({ from: index, to: index });
      open.author = author;
    }
    if (notWritten.has(version)) continue;
    const turn = open.turns.get(author);
    if (turn) turn.last = index;
    else open.turns.set(author, { author, first: index, last: index });
  }
  close();
  return { stretches, marks };
}
