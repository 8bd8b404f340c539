import { useEffect, useRef, useState } from "react";
import { useTab } from "@/components/session/backend-provider";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { reportError } from "@/events/core/error-report";
import { StoreFault } from "@/events/log/store";
import { linkingDocuments } from "@/events/read-models/linking-documents";
import type { LinkingDocument } from "@/events/read-models/linking-documents";

const none: readonly LinkingDocument[] = [];
/** How long, in ms, a revision must be shown before its links are read. */
const standing = 300;
/** The delays in ms after which the server has usually indexed new text. */
const takenIn = [2_000, 13_000];
/** The delay in ms after which a busy server has indexed new text. */
const takenInLate = 60_000;

/**
 * Returns the documents that link to a document at a time in ms or, for null, now. The current
 * links are read again on news of the workspace, and after the delays of the index.
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
      // News arrives continuously while others write. Pending reads limit the rate.
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
