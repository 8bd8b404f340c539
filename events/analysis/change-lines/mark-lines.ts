import { bodyOf } from "@/events/core/recorded-body";
import type { Mark, Timeline } from "@/events/history/timeline/timeline";
import type { LinePart } from "@/events/read-models/change-lines";
import { quoteOf } from "./quote";

const imported = "document.imported";

/**
 * The line of an event other than writing. One person's events of the same kind in one session
 * share a line.
 */
export type MarkLine = { first: Mark; last: Mark; part: LinePart };

/** Returns a document's threads by id, each with its author, version and quote. */
function threadsOf(marks: readonly Mark[]) {
  const threads = new Map<string, { by: string; version: number; quote: string }>();
  for (const mark of marks) {
    const quote = bodyOf(mark, "thread.opened")?.quote;
    if (quote !== undefined)
      threads.set(mark.subject.id, { by: mark.actorId, version: mark.version, quote });
  }
  return threads;
}

type GroupedLine = { key: string; part: (count: number) => LinePart };

/**
 * Returns the line of an event, and the key that is common to all events of the line. Null if
 * another line covers the event.
 */
function lineOf(
  mark: Mark,
  timeline: Timeline,
  threads: ReturnType<typeof threadsOf>,
): GroupedLine | null {
  const { type, actorId, version } = mark;
  const comment = bodyOf(mark, "comment.added");
  const thread = comment ? threads.get(comment.thread ?? "") : undefined;
  if (comment && thread) {
    const quote = quoteOf(thread.quote);
    return thread.by === actorId && version === thread.version + 1
      ? { key: `commented ${version}`, part: (count) => ({ kind: "commented", quote, count }) }
      : {
          key: `replied ${comment.thread}`,
          part: (count) => ({ kind: "replied", quote, to: thread.by, count }),
        };
  }
  // The line of the thread's first comment covers this event.
  if (type === "thread.opened") return null;
  const restored = bodyOf(mark, "document.reverted")?.toVersion;
  if (restored !== undefined) {
    const at = new Date(timeline.timeOf(timeline.ofVersion(restored))).toISOString();
    return { key: `restored ${version}`, part: () => ({ kind: "restored", at }) };
  }
  const title = bodyOf(mark, "document.renamed")?.title;
  if (title !== undefined) return { key: type, part: () => ({ kind: "renamed", title }) };
  const name = bodyOf(mark, "version.named")?.name;
  if (name !== undefined) return { key: `named ${version}`, part: () => ({ kind: "named", name }) };
  return { key: type, part: (count) => ({ kind: "event", type, count }) };
}

/** Returns the lines of a session's events other than writing, ordered by their last events. */
export function markLines(timeline: Timeline, marks: readonly Mark[]): MarkLine[] {
  const threads = threadsOf(timeline.marks);
  const instantOf = ({ actorId, revision }: Mark) => `${actorId} ${timeline.timeOf(revision)}`;
  // An import repeats the comments and version names of its file, all at one instant.
  const ofImports = new Set(marks.filter(({ type }) => type === imported).map(instantOf));
  const repeats = (mark: Mark) =>
    mark.type === "document.step_imported" ||
    (mark.type !== imported && mark.type !== "document.created" && ofImports.has(instantOf(mark)));
  const lines = new Map<string, { first: Mark; last: Mark; count: number; line: GroupedLine }>();
  for (const mark of marks) {
    const line = repeats(mark) ? null : lineOf(mark, timeline, threads);
    if (!line) continue;
    const key = `${mark.actorId} ${line.key}`;
    const known = lines.get(key);
    lines.delete(key);
    lines.set(key, {
      first: known?.first ?? mark,
      last: mark,
      count: (known?.count ?? 0) + 1,
      line,
    });
  }
  return [...lines.values()].map(({ first, last, count, line }) => ({
    first,
    last,
    part: line.part(count),
  }));
}
