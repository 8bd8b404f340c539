import { useEffect, useRef, useState } from "react";
import { useTab } from "@/components/session/backend-provider";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { reportError } from "@/events/core/error-report";
import { StoreFault } from "@/events/log/store";
import { type LinkingDocument, linkingDocuments } from "@/events/read-models/linking-documents";

const none: readonly LinkingDocument[] = [];
/** A revision is asked about once it stays this long. */
const standing = 300;
/** The service takes in what was written within so many milliseconds, */
const takenIn = [2_000, 13_000];
/** or later, where it is busy. */
const takenInLate = 60_000;

/**
 * What links to a document at a time, in milliseconds, or (null) now, which is asked again when
 * something was heard to have happened in the workspace, and once the service has taken that in.
 */
export function useLinkingDocuments(
  documentId: string,
  at: number | null,
): readonly LinkingDocument[] {
  const { heard } = useWorkspace("heard");
  const { open } = useTab();
  const [links, setLinks] = useState<readonly LinkingDocument[]>(none);
  const readAgain = useRef(() => {});
  useEffect(() => {
    let gone = false;
    const waiting = new Set<ReturnType<typeof setTimeout>>();
    const read = async () => {
      try {
        const found = await linkingDocuments((await open()).backend.rows, documentId, at);
        if (!gone) setLinks(found);
      } catch (fault) {
        // What links here is asked again with the next news of the workspace.
        if (!(fault instanceof StoreFault)) throw fault;
        reportError(fault, { during: "reading what links to a document", kind: "tolerated" });
      }
    };
    let late: ReturnType<typeof setTimeout> | null = null;
    const readIn = (wait: number) => {
      const timer = setTimeout(() => {
        waiting.delete(timer);
        void read();
      }, wait);
      waiting.add(timer);
    };
    readIn(at === null ? 0 : standing);
    readAgain.current = () => {
      // While everybody writes there is always news: it is asked at most so often.
      if (at !== null) return;
      if (waiting.size === 0) takenIn.forEach(readIn);
      if (late) clearTimeout(late);
      late = setTimeout(() => void read(), takenInLate);
    };
    return () => {
      gone = true;
      readAgain.current = () => {};
      for (const timer of waiting) clearTimeout(timer);
      if (late) clearTimeout(late);
    };
  }, [documentId, at, open]);
  useEffect(() => readAgain.current(), [heard]);
  return links;
}
