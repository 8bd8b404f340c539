import { longestTitle, longestWorkspaceName } from "@/events/core/text/text-lengths";
import { mergedTitle } from "@/events/core/text/merged-title";
import { subjectOf } from "@/events/log/stream-fold";
import type { StreamFold } from "@/events/log/stream-fold";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import { document } from "./document";
import { workspace } from "./workspace";

/**
 * Merges a proposed title or name with the one that others have recorded meanwhile. Returns null if
 * the two cannot be merged: an icon, or a merged title that would be too long.
 */
export function rebased(proposal: OptimisticEvent, fold: StreamFold): OptimisticEvent | null {
  const { replaces, subject } = proposal;
  if (replaces === undefined) return proposal;
  switch (proposal.type) {
    case "document.renamed": {
      const { title: recorded } = subjectOf(fold, document, subject.id).state;
      if (recorded === replaces) return proposal;
      const title = mergedTitle(replaces, proposal.body.title, recorded, longestTitle);
      return title === null ? null : { ...proposal, body: { title }, replaces: recorded };
    }
    case "workspace.renamed": {
      const { name: recorded } = subjectOf(fold, workspace, subject.id).state;
      if (recorded === replaces) return proposal;
      const name = mergedTitle(replaces, proposal.body.name, recorded, longestWorkspaceName);
      return name === null || name === ""
        ? null
        : { ...proposal, body: { name }, replaces: recorded };
    }
    default:
      return null;
  }
}
