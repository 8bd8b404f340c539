"use client";

import { startTransition, useEffect, useMemo, useRef, useState } from "react";
import { BackgroundLost } from "@/events/worker/remote-jobs";
import { pageBackground } from "@/events/worker/page-background";
import { answered } from "@/events/analysis/analysis-query";
import type { Answer, Question, QuestionKind } from "@/events/analysis/analysis-query";
import { rewritingFrom } from "@/events/analysis/rewriting";
import type { ContentOrigin } from "@/events/analysis/lineage/copy-in";
import { scriptOf } from "@/events/history/timeline/script";
import { longHistory } from "@/events/history/timeline/timeline";
import type { Timeline } from "@/events/history/timeline/timeline";

/** A history with the origin of its imported content. */
type ViewModel = { timeline: Timeline; contentOrigin: ContentOrigin };
/** An answer and the history to which it belongs. */
type Answered<Kind extends QuestionKind, View extends ViewModel> = {
  viewModel: View;
  answer: Answer<Kind>;
};

const isShort = ({ timeline }: ViewModel) => timeline.length <= longHistory;

type QueryRunner = ReturnType<typeof pageBackground.queryRunner>;
const queryRunners = new WeakMap<ContentOrigin, QueryRunner>();
const gone = new FinalizationRegistry<QueryRunner>((queryRunner) => queryRunner.close());

function queryRunnerOf({ timeline, contentOrigin }: ViewModel): QueryRunner {
  const known = queryRunners.get(contentOrigin);
  if (known) return known;
  const made = pageBackground.queryRunner(
    timeline.data,
    timeline.version,
    contentOrigin.attributions,
  );
  queryRunners.set(contentOrigin, made);
  gone.register(contentOrigin, made);
  return made;
}

async function runQuery<Kind extends QuestionKind>(
  viewModel: ViewModel,
  question: Question<Kind>,
): Promise<Answer<Kind>> {
  try {
    return await queryRunnerOf(viewModel).ask(question);
  } catch (error) {
    if (!(error instanceof BackgroundLost)) throw error;
    queryRunners.delete(viewModel.contentOrigin);
    return answered(viewModel.timeline, viewModel.contentOrigin, question);
  }
}

/**
 * Returns the answer to a question about a history. For a short history the answer is synchronous.
 * For a long history a worker computes the answer, and until then the last answer is returned with
 * its own history. Null before the first answer and without a question.
 */
export function useAnalysisQuery<Kind extends QuestionKind, View extends ViewModel>(
  viewModel: View,
  question: Question<Kind> | null,
): Answered<Kind, View> | null {
  const questionText = JSON.stringify(question);
  const { timeline, contentOrigin } = viewModel;
  const now = useMemo(
    // `questionText` was serialized from a question above.
    () =>
      answeredNow<Kind>(
        { timeline, contentOrigin },
        JSON.parse(questionText) as Question<Kind> | null,
      ),
    [timeline, contentOrigin, questionText],
  );
  const [held, setHeld] = useState<Answered<Kind, View> | null>(null);
  const latest = useRef(viewModel);
  useEffect(() => {
    latest.current = viewModel;
  }, [viewModel]);
  useEffect(() => {
    // `questionText` was serialized from a question above.
    const question = JSON.parse(questionText) as Question<Kind> | null;
    const viewModel = latest.current;
    if (isShort(viewModel) || !question) return;
    let stopped = false;
    void runQuery(viewModel, question).then((answer) => {
      // Rendering the answer may take long, so typing has priority.
      if (!stopped) startTransition(() => setHeld({ viewModel, answer }));
    });
    return () => {
      stopped = true;
    };
  }, [timeline, contentOrigin, questionText]);
  if (question === null) return null;
  return isShort(viewModel) ? now && { viewModel, answer: now } : held;
}

function answeredNow<Kind extends QuestionKind>(
  viewModel: ViewModel,
  question: Question<Kind> | null,
): Answer<Kind> | null {
  return question && isShort(viewModel)
    ? answered(viewModel.timeline, viewModel.contentOrigin, question)
    : null;
}

/**
 * Returns the newest history whose copied characters are known. A short history is returned at
 * once, and a long one when the worker has answered.
 */
export function useRewritten(
  timeline: Timeline | null,
  contentOrigin: ContentOrigin | null,
): ViewModel | null {
  const newest = useMemo(
    () => timeline && contentOrigin && { timeline, contentOrigin },
    [timeline, contentOrigin],
  );
  const [held, setHeld] = useState<ViewModel | null>(null);
  useEffect(() => {
    if (!newest || isShort(newest)) return;
    void runQuery(newest, { kind: "rewriting" }).then(({ data, clientRuns }) => {
      rewritingFrom(newest.timeline, data);
      scriptOf(newest.timeline).takeClientRuns(clientRuns);
      setHeld(newest);
    });
  }, [newest]);
  return newest && isShort(newest) ? newest : held;
}
