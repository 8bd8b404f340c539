import { useEffect, useRef, useState } from "react";
import { useTab } from "@/components/session/backend-provider";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { reportError } from "@/events/core/error-report";
import { StoreFault } from "@/events/log/store";
import { linkingDocuments } from "@/events/read-models/linking-documents";
import type { LinkingDocument } from "@/events/read-models/linking-documents";

const none: readonly LinkingDocument[] = [];
/** How long, in ms, a revision must stay before its links are read. */
const standing = 300;
/** The server indexes new text within these times, in ms, */
const takenIn = [2_000, 13_000];
/** or later when it is busy. */
const takenInLate = 60_000;

/**
 * The documents that link to a document at a time in ms, or (null) now. The current ones are read
 * again on news of the workspace, and once the server has indexed it.
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
        // The next news of the workspace reads the links again.
        if (!(fault instanceof StoreFault)) throw fault;
        reportError(fault, { during: "loading back links", kind: "tolerated" });
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
      // While others write there is always news; pending reads limit the rate.
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
