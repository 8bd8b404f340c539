import { bodyOf } from "@/events/core/recorded-body";
import type { Mark, Timeline } from "@/events/history/timeline/timeline";
import type { SearchEntry } from "./search-entry";

type MarkText = { mark: Mark; text: string };

/** Returns the successive texts of one place as entries, except empty ones. The last stands. */
function entriesOf(
  timeline: Timeline,
  place: Pick<SearchEntry, "place" | "kind" | "threadId">,
  readings: readonly MarkText[],
): SearchEntry[] {
  return readings.flatMap(({ mark, text }, nth) => {
    if (text.trim() === "") return [];
    const end = readings[nth + 1]?.mark ?? null;
    const at = timeline.timeOf(mark.revision);
    const stood = end && timeline.revision(Math.max(mark.revision, end.revision - 1));
    return [
      {
        ...place,
        nth,
        class: end ? "g" : "n",
        text,
        fromVersion: mark.version,
        fromTime: at,
        writtenAt: at,
        toVersion: end && end.version,
        toTime: end && timeline.timeOf(end.revision),
        stoodVersion: stood && stood.version,
        stoodEdit: stood && stood.edit,
        authorId: mark.actorId,
        authors: [mark.actorId],
        endedBy: end && end.actorId,
        namedAt: [],
      },
    ];
  });
}

/** Returns an entry for each title that a document had. */
export function titleEntries(timeline: Timeline): SearchEntry[] {
  const readings = timeline.marks.flatMap((mark): MarkText[] => {
    const body = bodyOf(mark, "document.created") ?? bodyOf(mark, "document.renamed");
    return body ? [{ mark, text: body.title ?? "" }] : [];
  });
  return entriesOf(timeline, { place: "title", kind: "title", threadId: null }, readings);
}

/** Returns an entry for each text of the comments on a document. */
export function commentEntries(timeline: Timeline): SearchEntry[] {
  const comments = new Map<string, { threadId: string | null; readings: MarkText[] }>();
  for (const mark of timeline.marks) {
    if (mark.subject.kind !== "comment") continue;
    const added = bodyOf(mark, "comment.added");
    const body = added ?? bodyOf(mark, "comment.edited");
    const known = comments.get(mark.subject.id);
    const comment = known ?? { threadId: added?.thread ?? null, readings: [] };
    comment.readings.push({ mark, text: body?.text ?? "" });
    comments.set(mark.subject.id, comment);
  }
  return [...comments].flatMap(([id, { threadId, readings }]) =>
    entriesOf(timeline, { place: `comment ${id}`, kind: "comment", threadId }, readings),
  );
}
