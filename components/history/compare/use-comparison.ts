"use client";

import { useLayoutEffect, useState } from "react";
import { comparing } from "@/events/analysis/comparison/comparison";
import type { Comparison } from "@/events/analysis/comparison/comparison";
import type { ComparisonAuthors } from "@/components/history/authors/authors";
import { longHistory } from "@/events/history/timeline/timeline";
import { roleOf } from "@/events/analysis/comparison/node-roles";

/** The ms of work before the page may render. The last step may take four times as long. */
const slice = 8;

const nothing = { source: null, from: 0, to: 0 };

type ComparisonRequest = { source: ComparisonAuthors["source"]; from: number; to: number };

/**
 * Returns the difference between two revisions, or null without a request or a result yet. The
 * computation runs in slices so that the page stays responsive.
 */
export function useComparison(request: ComparisonRequest | null): Comparison | null {
  const [found, setFound] = useState<{
    source: ComparisonAuthors["source"];
    comparison: Comparison;
  } | null>(null);
  const { source, from, to } = request ?? nothing;
  // If the first slice is enough, the result is ready before paint. For a long history, the
  // comparison's frame is painted first.
  useLayoutEffect(() => {
    if (source === null) return;
    const work = comparing(source, { from, to, roleOf, folded: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const go = () => {
      for (const end = performance.now() + slice; performance.now() < end;) {
        const step = work.next();
        if (step.done) return setFound({ source, comparison: step.value });
      }
      timer = setTimeout(go);
    };
    if (Math.max(from, to) > longHistory) timer = setTimeout(go);
    else go();
    return () => clearTimeout(timer);
  }, [source, from, to]);
  return source !== null &&
    found?.source === source &&
    found.comparison.from === from &&
    found.comparison.to === to
    ? found.comparison
    : null;
}
