"use client";

import { useEffect } from "react";

/** The workspace tells of letters at most every five seconds, so that the last ones may never be told, in ms. */
const loadPatience = 6_000;
const longestPatience = 60_000;

type Present = {
  /** Whether the page shows the present; a moment of the past is asked for once. */
  isShown: boolean;
  /** The version that the page has. */
  version: number;
  /** The newest version that the workspace told of. */
  heard: number;
  /** Whether the page has no text, since the server could not make it. */
  failed: boolean;
  /** Asks the server for the page again; the same function in every render. */
  refresh: () => void;
};

/**
 * Keeps a page of the present at what the workspace tells of, for a reader whom nobody tells the
 * letters: asks at once when there are more, once more some seconds later, and ever less often for
 * as long as the page is behind or has no text.
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
