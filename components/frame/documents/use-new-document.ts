"use client";

import { useCallback } from "react";
import { normalizedName } from "@/events/core/text/visible-text";
import { beforePageEnds } from "@/components/session/page-end";
import { awaitTitle, beginInTitle, stopAwaitingTitle, titleSoFar } from "./begun-document";
import { useNavigate } from "./navigation-guard";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { Begun } from "@/components/workspace-state/use-documents";

/**
 * Creates a document, at the end of the top level or at a place, and opens it as soon as it is
 * recorded.
 */
export function useBeginDocument(): (begun?: Begun) => void {
  const { documentCommands } = useWorkspace("documentCommands");
  const go = useNavigate();
  return useCallback(
    (begun) => {
      awaitTitle();
      const { id, done } = documentCommands.create(begun);
      // Offline, the page may end before the document's page is shown.
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

/** Creates a document at the end of the top level; undefined when the reader may not. */
export function useNewDocument(): (() => void) | undefined {
  const { mayDocument } = useWorkspace("mayDocument");
  const begin = useBeginDocument();
  const create = useCallback(() => begin(), [begin]);
  return mayDocument("document.created", null) ? create : undefined;
}
