import type { DocumentEventType } from "@/events/core/event-types";
import { entryOf } from "@/events/core/table-entry";
import type { LastChange } from "@/events/read-models/last-changes";

const words: Readonly<Record<DocumentEventType, string | ((minutes: number) => string)>> = {
  "document.created": "Begun",
  "document.renamed": "Renamed",
  "document.icon_set": "Changed its icon",
  "document.edited": (minutes) => (minutes > 1 ? `Wrote for ${minutes} minutes` : "Wrote a little"),
  "document.redacted": "Redacted",
  "document.imported": "Imported from a file",
  "document.step_imported": "Imported from a file",
  "document.reverted": "Restored an earlier moment",
  "document.reworked": "Took something back",
  "document.forked": "Forked from another",
  "document.merged": "Merged",
  "document.trashed": "Moved to trash",
  "document.restored": "Taken out of the trash",
  "version.named": "Named a version",
  "version.renamed": "Sorted its versions",
  "version.pinned": "Sorted its versions",
  "version.unpinned": "Sorted its versions",
  "thread.opened": "Commented",
  "thread.resolved": "Resolved a discussion",
  "thread.reopened": "Reopened a discussion",
  "comment.added": "Commented",
  "comment.edited": "Commented",
  "comment.deleted": "Commented",
};

/** What happened last in a document, in two or three words. */
export function changeWords(
  change: Pick<LastChange, "type" | "minutes"> | undefined,
  edits: number,
): string {
  if (!change) return edits > 0 ? "Written" : "Begun";
  const phrase = entryOf(words, change.type) ?? "Changed";
  return typeof phrase === "string" ? phrase : phrase(change.minutes);
}
