"use client";

import { useEffect, useMemo, useState } from "react";
import { BackgroundLost } from "@/events/worker/remote-jobs";
import { pageBackground } from "@/events/worker/page-background";
import {
  type Answer,
  answered,
  type Question,
  type QuestionKind,
} from "@/events/analysis/analysis-query";
import { type ContentOrigin } from "@/events/analysis/lineage/copy-in";
import { type Timeline } from "@/events/history/timeline/timeline";

type Scene = { timeline: Timeline; contentOrigin: ContentOrigin };
type Held<Kind extends QuestionKind> = { viewModel: Scene; answer: Answer<Kind> };

/** Up to this many revisions any question is answered within a frame or two. */
const shortHistory = 20_000;

type Inquirer = ReturnType<typeof pageBackground.inquirer>;
const inquirers = new WeakMap<ContentOrigin, Inquirer>();
const gone = new FinalizationRegistry<Inquirer>((inquirer) => inquirer.close());

function inquirerOf({ timeline, contentOrigin }: Scene): Inquirer {
  const known = inquirers.get(contentOrigin);
  if (known) return known;
  const made = pageBackground.inquirer(timeline.data, contentOrigin.attributions);
  inquirers.set(contentOrigin, made);
  gone.register(contentOrigin, made);
  return made;
}

async function asked<Kind extends QuestionKind>(
  viewModel: Scene,
  question: Question<Kind>,
): Promise<Answer<Kind>> {
  try {
    return await inquirerOf(viewModel).ask(question);
  } catch (error) {
    if (!(error instanceof BackgroundLost)) throw error;
    inquirers.delete(viewModel.contentOrigin);
    return answered(viewModel.timeline, viewModel.contentOrigin, question);
  }
}

/**
 * The answer to a question about a history: at once where that is short, and beside the page where
 * it is long. Meanwhile it is the answer to what was asked before of the same history, or null;
 * null also without a question.
 */
export function useAnalysisQuery<Kind extends QuestionKind>(
  { timeline, contentOrigin }: Scene,
  question: Question<Kind> | null,
): Answer<Kind> | null {
  const wanted = JSON.stringify(question);
  const isShort = timeline.length <= shortHistory;
  const now = useMemo(
    // What was written as JSON a moment ago is the question itself.
    () =>
      isShort
        ? answeredNow<Kind>(
            { timeline, contentOrigin },
            JSON.parse(wanted) as Question<Kind> | null,
          )
        : null,
    [isShort, timeline, contentOrigin, wanted],
  );
  const [held, setHeld] = useState<Held<Kind> | null>(null);
  useEffect(() => {
    // As above.
    const question = JSON.parse(wanted) as Question<Kind> | null;
    if (isShort || !question) return;
    let stopped = false;
    const viewModel = { timeline, contentOrigin };
    void asked(viewModel, question).then((answer) => !stopped && setHeld({ viewModel, answer }));
    return () => {
      stopped = true;
    };
  }, [isShort, timeline, contentOrigin, wanted]);
  if (isShort) return now;
  return question && held?.viewModel.contentOrigin === contentOrigin ? held.answer : null;
}

function answeredNow<Kind extends QuestionKind>(
  { timeline, contentOrigin }: Scene,
  question: Question<Kind> | null,
): Answer<Kind> | null {
  return question && answered(timeline, contentOrigin, question);
}
