import type { LastChange } from "@/events/read-models/projections";

/** What happened last in a document, in two or three words. */
export function changeWords(
  change: Pick<LastChange, "type" | "minutes"> | undefined,
  edits: number,
): string {
  if (!change) return edits > 0 ? "Written" : "Begun";
  switch (change.type) {
    case "document.created":
      return "Begun";
    case "document.renamed":
      return "Renamed";
    case "document.redacted":
      return "Redacted";
    case "document.imported":
    case "document.step_imported":
      return "Imported from a file";
    case "document.reverted":
      return "Restored an earlier moment";
    case "document.reworked":
      return "Took something back";
    case "document.forked":
      return "Forked from another";
    case "document.merged":
      return "Merged";
    case "version.named":
      return "Named a version";
    case "version.renamed":
    case "version.pinned":
    case "version.unpinned":
      return "Sorted its versions";
    case "document.restored":
      return "Taken out of the trash";
    case "document.trashed":
      return "Moved to trash";
    case "thread.opened":
    case "comment.added":
    case "comment.edited":
    case "comment.deleted":
      return "Commented";
    case "thread.resolved":
      return "Resolved a discussion";
    case "thread.reopened":
      return "Reopened a discussion";
    case "document.edited":
      return change.minutes > 1 ? `Wrote for ${change.minutes} minutes` : "Wrote a little";
    default:
      return "Changed";
  }
}
