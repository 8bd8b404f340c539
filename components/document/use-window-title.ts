"use client";

import { useLayoutEffect } from "react";
import type { SyncStatus } from "@/machines/sync/sync-status";

/**
 * Sets the window's title to the document's, preceded by a dot while something is not saved. Sets
 * it again when Next inserts the server's title, which may happen late. A layout effect, so that it
 * does not change the next page's title.
 */
export function useWindowTitle(title: string, workspace: string, status: SyncStatus | null): void {
  const unsaved = status !== null && status.label !== "Saved" && status.tone !== "busy";
  useLayoutEffect(() => {
    const wanted = `${unsaved ? "● " : ""}${title} — ${workspace}`;
    const name = () => {
      if (document.title !== wanted) document.title = wanted;
    };
    name();
    const observer = new MutationObserver(name);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [unsaved, title, workspace]);
}
