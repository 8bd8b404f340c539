import type { DocumentEventType } from "@/events/core/event-types";
import { entryOf } from "@/events/core/table-entry";
import type { Revision, Timeline } from "@/events/history/timeline/timeline";
import { numberWords } from "@/events/core/text/number-words";

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });
const dayAndYear = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
});
const shortDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const minute = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** Formats a time to the second: "15:42:07". */
export function timeWords(time: number): string {
  return clock.format(time);
}

/** Formats a date: "14 November", with the year if it differs from the newest date's. */
export function dateWords(time: number, newest: number): string {
  return new Date(time).getFullYear() === new Date(newest).getFullYear()
    ? day.format(time)
    : dayAndYear.format(time);
}

/** Formats a time on the axis in two parts: "14 Nov", "15:20". */
export function axisWords(time: number): { day: string; time: string } {
  return { day: shortDay.format(time), time: minute.format(time) };
}

/** Formats the length of a pause: "12 s", "14 min", "3 hours", "5 days". */
export function pauseWords(ms: number): string {
  if (ms < 59_500) return `${Math.round(ms / 1000)} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 36) return `${hours} hours`;
  return `${Math.round(hours / 24)} days`;
}

const actions: Readonly<Record<DocumentEventType, string | null>> = {
  "document.edited": null,
  "document.created": "began the document",
  "document.renamed": "renamed it",
  "document.icon_set": "changed the icon",
  "document.moved": "moved it to another place",
  "document.template_set": "changed its template setting",
  "document.purged": "deleted it permanently",
  "document.trashed": "moved it to the trash",
  "document.restored": "brought it back from the trash",
  "thread.opened": "opened a discussion",
  "thread.resolved": "resolved a comment",
  "thread.reopened": "reopened a comment",
  "comment.added": "commented",
  "comment.edited": "edited a comment",
  "comment.deleted": "deleted a comment",
  "document.reverted": "restored an earlier version",
  "document.reworked": "reverted a part",
  "document.merged": "merged another document in",
  "document.forked": "began it from another document",
  "file.attached": "added a file",
  "version.named": "named a version",
  "version.renamed": "gave a version another name",
  "version.pinned": "pinned a version",
  "version.unpinned": "unpinned a version",
  "document.imported": "imported it from a file",
  "document.step_imported": "imported a step of it",
  "document.redacted": "redacted an edit",
};

/** Returns the predicate of a revision that is not an edit, or null for an edit. */
export function revisionKindWords({ type }: Pick<Revision, "type">): string | null {
  return entryOf(actions, type) ?? null;
}

/** Whether the document was in the trash at a revision. */
export function inTrashAt({ marks }: Pick<Timeline, "marks">, index: number): boolean {
  return (
    marks.findLast(({ revision, subject }) => revision <= index && subject.kind === "document")
      ?.toPhase === "trashed"
  );
}

/** Describes a revision to screen readers: "14 November, 15:42:07, Ana, edit 812 of 4 310". */
export function revisionWords(timeline: Timeline, revision: Revision, name: string): string {
  const newest = timeline.timeOf(timeline.length - 1);
  const edit = `edit ${numberWords(revision.index + 1)} of ${numberWords(timeline.length)}`;
  const action = revisionKindWords(revision);
  return [
    dateWords(revision.time, newest),
    timeWords(revision.time),
    name,
    edit,
    ...(action ? [action] : []),
  ].join(", ");
}
