"use client";

import { useEffect } from "react";

/**
 * Delays in ms. The workspace reports edits at most every 5 s and may never report the last ones.
 */
const loadPatience = 6_000;
const longestPatience = 60_000;

type Present = {
  /** Whether the page shows the current text. A named version is read only once. */
  isShown: boolean;
  /** The version of the page. */
  version: number;
  /** The newest version that the workspace has reported. */
  heard: number;
  /** Whether the page has no text because the server could not render it. */
  failed: boolean;
  /** Requests the page again. Stable across renders. */
  refresh: () => void;
};

/**
 * Keeps the current text up to date for a reader who receives no edits. Refreshes at once on news,
 * again some seconds later, and with growing delays while the page is behind or has no text.
 */
export function usePresent({ isShown, version, heard, failed, refresh }: Present): void {
  useEffect(() => {
    if (!isShown) return;
    const isBehind = heard > version;
    if (isBehind) refresh();
    let timer: ReturnType<typeof setTimeout>;
    const later = (ms: number) => {
      timer = setTimeout(() => {
        refresh();
        if (isBehind || failed) later(Math.min(ms * 2, longestPatience));
      }, ms);
    };
    later(loadPatience);
    return () => clearTimeout(timer);
  }, [isShown, version, heard, failed, refresh]);
}
