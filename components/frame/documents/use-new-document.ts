"use client";

import { useCallback } from "react";
import { normalizedName } from "@/events/core/text/visible-text";
import { beforePageEnds } from "@/components/session/page-end";
import { awaitTitle, beginInTitle, stopAwaitingTitle, titleSoFar } from "./begun-document";
import { useNavigate } from "./navigation-guard";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { Begun } from "@/components/workspace-state/use-documents";

/**
 * Returns a function that creates a document, at a place or at the end of the top level, and opens
 * the document as soon as it is recorded.
 */
export function useBeginDocument(): (begun?: Begun) => void {
  const { documentCommands } = useWorkspace("documentCommands");
  const go = useNavigate();
  return useCallback(
    (begun) => {
      awaitTitle();
      const { id, done } = documentCommands.create(begun);
      // Offline, the page may end before the new document's page is shown.
      const stopKeeping = beforePageEnds(() => {
        const title = normalizedName(titleSoFar());
        if (title) void documentCommands.rename(id, title, begun?.title ?? "");
      });
      void done.then((recorded) => {
        stopKeeping();
        if (!recorded) return stopAwaitingTitle();
        beginInTitle(id);
        go(`/d/${id}`);
      });
    },
    [documentCommands, go],
  );
}

/** Returns a function that creates a document at the top level, or undefined without the right. */
export function useNewDocument(): (() => void) | undefined {
  const { mayDocument } = useWorkspace("mayDocument");
  const begin = useBeginDocument();
  const create = useCallback(() => begin(), [begin]);
  return mayDocument("document.created", null) ? create : undefined;
}
