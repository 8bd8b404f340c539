"use client";

import { useEffect, useState } from "react";
import type { RefObject } from "react";

/**
 * Returns the current change, and the functions that step to the next and the previous change.
 * Steps wrap around.
 */
export function useChanges(text: RefObject<HTMLElement | null>, count: number, layout: string) {
  const [standing, setStanding] = useState<{ change: number; nth: number } | null>(null);
  const [counted, setCounted] = useState(count);
  if (counted !== count) {
    setCounted(count);
    setStanding(null);
  }
  const current = standing?.change ?? null;
  useEffect(() => {
    const root = text.current;
    if (!root) return;
    const marked =
      current === null ? [] : [...root.querySelectorAll<HTMLElement>(`[data-change="${current}"]`)];
    for (const element of marked) element.dataset.current = "";
    return () => {
      for (const element of marked) delete element.dataset.current;
    };
  }, [text, current, layout, count]);
  // The requested change is certain to be rendered only after the commit.
  useEffect(() => {
    if (standing)
      text.current
        ?.querySelector(`[data-change="${standing.change}"]`)
        ?.scrollIntoView({ block: "center" });
  }, [text, standing, layout]);
  const go = (change: number) => setStanding((before) => ({ change, nth: (before?.nth ?? 0) + 1 }));
  const step = (by: -1 | 1) => {
    if (count > 0) go(current === null ? (by > 0 ? 0 : count - 1) : (current + by + count) % count);
  };
  return { current, go, step };
}
