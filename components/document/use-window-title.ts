"use client";

import { useLayoutEffect } from "react";
import type { SyncStatus } from "@/machines/sync/sync-status";

/**
 * Names the window after the document, with a dot before it while something written here is not
 * saved, and again whenever Next puts the title in its place that the document had on the server:
 * that may come late. A layout effect, so that the next page's title is left alone.
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
