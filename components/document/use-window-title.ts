"use client";

import { useLayoutEffect } from "react";
import type { SyncStatus } from "@/machines/sync/sync-status";

/**
 * Sets the window's title to the document's, with a dot before it while something is not saved. It
 * sets it again when Next puts the server's title in place, which may happen late. A layout effect,
 * so that the next page's title is left alone.
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
