"use client";

import { useInsight } from "../insight/insight-state";
import { onDemand } from "../on-demand";
import { talkedBlock } from "../thread/past-talk";
import type { BesideProps, BesideText } from "./beside-text";

const PastThreads = onDemand(() =>
  import("../thread/past-threads").then((module) => module.PastThreads),
);

function Beside(props: BesideProps) {
  // The insight has the margin while it is open.
  return <PastThreads {...props} shown={useInsight().view === null} />;
}

/** The comments of a document as they were, beside its text. */
export const commentsBeside: BesideText = {
  isIn: ({ marks }) => marks.some(({ type }) => type === "thread.opened"),
  blockAt: talkedBlock,
  Beside,
};
