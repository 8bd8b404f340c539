"use client";

import { useAnalysis } from "@/components/history/analysis/analysis-state";
import { onDemand } from "@/components/loading/on-demand";
import { commentedBlock } from "@/components/comments/past-comments";
import type { BesideProps, BesideText } from "@/components/history/revision/beside-text";

const PastThreads = onDemand(() =>
  import("@/components/comments/past-threads").then((module) => module.PastThreads),
);

function Beside(props: BesideProps) {
  // The analysis has the margin while it is open.
  return <PastThreads {...props} shown={useAnalysis().view === null} />;
}

/** The comments of a document as they were, beside its text. */
export const commentsBeside: BesideText = {
  isIn: ({ marks }) => marks.some(({ type }) => type === "thread.opened"),
  blockAt: commentedBlock,
  Beside,
};
