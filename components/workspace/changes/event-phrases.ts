import type { DocumentEventType } from "@/events/core/event-types";
import { entryOf } from "@/events/core/table-entry";

const phrases: Readonly<Record<DocumentEventType, string>> = {
  "document.created": "created it",
  "document.renamed": "renamed it",
  "document.icon_set": "changed its icon",
  "document.moved": "moved it to another place",
  "document.template_set": "changed its template setting",
  "document.purged": "deleted it permanently",
  "document.edited": "wrote in it",
  "document.redacted": "redacted an edit",
  "document.imported": "imported it from a file",
  "document.step_imported": "imported it from a file",
  "document.reverted": "restored an earlier moment",
  "document.reworked": "reverted changes",
  "document.forked": "forked it from another document",
  "document.merged": "merged another document into it",
  "document.trashed": "moved it to trash",
  "document.restored": "restored it from the trash",
  "file.attached": "added a file",
  "version.named": "named a version",
  "version.renamed": "renamed a version",
  "version.pinned": "pinned a version",
  "version.unpinned": "unpinned a version",
  "thread.opened": "commented",
  "thread.resolved": "resolved a discussion",
  "thread.reopened": "reopened a discussion",
  "comment.added": "commented",
  "comment.edited": "edited a comment",
  "comment.deleted": "deleted a comment",
};

/** Returns the predicate of an event on its document. */
export function eventPhrase(type: string): string {
  return entryOf(phrases, type) ?? "changed something";
}

/** Returns the predicate of a document's last event, if no line describes the event. */
export function lastPhrase(change: { type: string; minutes: number } | undefined): string {
  if (!change) return "changed it";
  if (change.type === "document.edited" && change.minutes > 1)
    return `wrote for ${change.minutes} minutes`;
  return eventPhrase(change.type);
}
