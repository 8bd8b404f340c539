"use client";

import { useEffect, useState } from "react";
import type { RefObject } from "react";
import type { Row } from "@/events/analysis/comparison/comparison-rows";
import type { DiffChunk } from "./diff-chunks";

const screens = "150%";

/** Estimates the height of a chunk that was never rendered, in px: 30 for each 70 letters. */
export function judgedHeight(rows: readonly Row[], at: number): number {
  return rows.reduce((sum, { runs, still }) => {
    const letters = still
      ? still.lettersAt(at)
      : runs.reduce((all, { text }) => all + text.length, 0);
    return sum + Math.max(1, Math.ceil(letters / 70)) * 30 + 15;
  }, 0);
}

/** Returns chunks by key: null while near the viewport, then the height with which they left. */
export function useNearChunks(
  root: RefObject<HTMLElement | null>,
  chunks: readonly DiffChunk[],
  scrollerOf: (root: HTMLElement) => HTMLElement | null,
): ReadonlyMap<string, number | null> {
  const [near, setNear] = useState<ReadonlyMap<string, number | null>>(new Map());
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const watch = new IntersectionObserver(
      (entries) =>
        setNear((before) => {
          const next = new Map(before);
          for (const { target, isIntersecting, boundingClientRect } of entries) {
            const key = target instanceof HTMLElement ? target.dataset.chunk : undefined;
            if (key !== undefined) next.set(key, isIntersecting ? null : boundingClientRect.height);
          }
          return next;
        }),
      { root: scrollerOf(element), rootMargin: `${screens} 0px` },
    );
    for (const chunk of element.querySelectorAll("[data-chunk]")) watch.observe(chunk);
    return () => watch.disconnect();
  }, [root, chunks, scrollerOf]);
  return near;
}
