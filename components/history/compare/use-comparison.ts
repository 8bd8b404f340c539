"use client";

import { useLayoutEffect, useState } from "react";
import { comparing, type Comparison } from "@/events/analysis/comparison/comparison";
import { type ComparisonAuthors } from "@/components/history/authors/authors";
import { roleOf } from "@/events/analysis/comparison/node-roles";

/** Milliseconds of work before the page has its turn again; a single step may take 35 more. */
const slice = 8;
/** With more revisions than this, what shows the comparison is painted before it begins. */
const manyRevisions = 20_000;

const nothing = { source: null, from: 0, to: 0 };

type ComparisonRequest = { source: ComparisonAuthors["source"]; from: number; to: number };

/**
 * The difference between two revisions; null until it is found, and of nothing. It is sought in
 * slices between which the page goes on.
 */
export function useComparison(request: ComparisonRequest | null): Comparison | null {
  const [found, setFound] = useState<{
    source: ComparisonAuthors["source"];
    comparison: Comparison;
  } | null>(null);
  const { source, from, to } = request ?? nothing;
  // What takes one slice is there before anything is painted, unless the history is long.
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
    if (Math.max(from, to) > manyRevisions) timer = setTimeout(go);
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
