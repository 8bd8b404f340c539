"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { goToPlace, holdPlace, placeFrom, readingPlace } from "@/components/frame/reading-place";
import type { ReadingPlace } from "@/components/frame/reading-place";
import { returnFocus } from "@/components/ui/keyboard/focus-history";

const keyOf = (documentId: string) => `reading:${documentId}`;
const pause = 250;

/** The path that Back or Forward has opened, until a page has read it. */
let traversed: string | null = null;
if (typeof window !== "undefined")
  addEventListener("popstate", () => (traversed = location.pathname));

const text = () => document.getElementById("text");

function savePlace(documentId: string): void {
  const root = text();
  // While the past is shown, the live text is in the DOM but hidden.
  const place = root?.checkVisibility() === true ? readingPlace(root) : null;
  if (place === null) return;
  try {
    sessionStorage.setItem(keyOf(documentId), JSON.stringify(place));
  } catch {
    // Without storage, the page opens at its top.
  }
}

function savedPlace(documentId: string): ReadingPlace | null {
  try {
    return placeFrom(JSON.parse(sessionStorage.getItem(keyOf(documentId)) ?? "null"));
  } catch {
    return null;
  }
}

/** Whether this page was reached by Reload, Back or Forward and not by a link. */
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

/** Whether a document's page has been shown since the browser loaded this page. */
let entered = false;

/**
 * Keeps the reader's place in a document across Reload and Back. A visit to the past opens at the
 * same place and returns to it.
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
  // A followed link may unmount the text before the place is saved after scrolling.
  useLayoutEffect(
    () => () => {
      if (held.current === null) savePlace(documentId);
    },
    [documentId],
  );
  /** Called when the text is complete. Its layout is stable two frames later. */
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
