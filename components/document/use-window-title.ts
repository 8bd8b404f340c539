"use client";

import { useEffect } from "react";
import type { SyncStatus } from "@/machines/sync/sync-status";

/** Names the window after the document, with a dot before it while something written here is not saved. */
export function useWindowTitle(title: string, workspace: string, status: SyncStatus | null): void {
  const unsaved = status !== null && status.label !== "Saved" && status.tone !== "busy";
  useEffect(() => {
    document.title = `${unsaved ? "● " : ""}${title} — ${workspace}`;
  }, [unsaved, title, workspace]);
}
