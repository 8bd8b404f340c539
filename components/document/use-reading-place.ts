"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import {
  goToPlace,
  holdPlace,
  placeFrom,
  readingPlace,
  type ReadingPlace,
} from "@/components/frame/reading-place";
import { returnFocus } from "@/components/ui/keyboard/focus-history";

const keyOf = (documentId: string) => `reading:${documentId}`;
const pause = 250;

/** The path that Back or Forward has led to, until a page has taken notice of it. */
let traversed: string | null = null;
if (typeof window !== "undefined")
  addEventListener("popstate", () => (traversed = location.pathname));

const text = () => document.getElementById("text");

function savePlace(documentId: string): void {
  const root = text();
  // In the past the text is there, and not to be seen.
  const place = root?.checkVisibility() === true ? readingPlace(root) : null;
  if (place === null) return;
  try {
    sessionStorage.setItem(keyOf(documentId), JSON.stringify(place));
  } catch {
    // A browser that keeps nothing for this page opens it at its top.
  }
}

function savedPlace(documentId: string): ReadingPlace | null {
  try {
    return placeFrom(JSON.parse(sessionStorage.getItem(keyOf(documentId)) ?? "null"));
  } catch {
    return null;
  }
}

/** Whether this page was reached by Reload, Back or Forward, rather than by a link. */
function isReturning(): boolean {
  if (traversed === location.pathname) return true;
  const [entry] = performance.getEntriesByType("navigation");
  return (
    entry instanceof PerformanceNavigationTiming &&
    entry.type !== "navigate" &&
    new URL(entry.name).pathname === location.pathname &&
    !entered
  );
}

/** Whether a page of a document has been shown since the browser loaded this one. */
let entered = false;

/**
 * Keeps where in a document its reader is: over Reload and Back, and over a visit to the past,
 * which opens at what was being read and leads back to it.
 */
export function useReadingPlace(
  documentId: string,
  past: boolean,
): { left: ReadingPlace | null; leave: () => void; settle: () => void } {
  const [left, setLeft] = useState<ReadingPlace | null>(null);
  const [began] = useState(past ? "past" : "present");
  const held = useRef<(() => void) | null>(null);
  useEffect(() => {
    const place =
      began === "present" && location.hash === "" && isReturning() ? savedPlace(documentId) : null;
    entered = true;
    traversed = null;
    const root = text();
    if (place && root) held.current = holdPlace(root, place, () => (held.current = null));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const now = () => {
      if (held.current === null) savePlace(documentId);
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(now, pause);
    };
    document.addEventListener("scroll", later, { capture: true, passive: true });
    addEventListener("pagehide", now);
    return () => {
      held.current?.();
      clearTimeout(timer);
      document.removeEventListener("scroll", later, { capture: true });
      removeEventListener("pagehide", now);
      if (traversed === `/d/${documentId}`) traversed = null;
    };
  }, [documentId, began]);
  // Before the text is taken out of the page: a link may be followed sooner than a moment after the scrolling ends.
  useLayoutEffect(
    () => () => {
      if (held.current === null) savePlace(documentId);
    },
    [documentId],
  );
  /** The text is all there, and stays where it is from the next frame but one. */
  const settle = useCallback(
    () => void requestAnimationFrame(() => requestAnimationFrame(() => held.current?.())),
    [],
  );
  const leave = useCallback(() => {
    const root = text();
    setLeft(root && readingPlace(root));
  }, []);
  const was = useRef(past);
  useLayoutEffect(() => {
    const back = was.current && !past;
    was.current = past;
    const root = text();
    if (!back || root === null) return;
    if (left !== null) goToPlace(root, left);
    returnFocus();
  }, [past, left]);
  return { left, leave, settle };
}
