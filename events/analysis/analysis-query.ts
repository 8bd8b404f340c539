import { accountOfChanges } from "./account-of-changes";
import type { AccountEntry, Stretch } from "./account-of-changes";
import { anchorOutcomes } from "./anchors/anchor-outcomes";
import type { AnchorAnswers } from "./anchors/anchor-outcomes";
import type { Anchor } from "./anchors/anchor";
import { passagesAt } from "./attribution";
import type { Passage } from "./attribution";
import { searchThroughTime } from "./deleted-text-search";
import type { Found } from "./deleted-text-search";
import type { RewritingData } from "@/events/analysis/rewritten/rewriting-data";
import { rewritingOf } from "./rewriting";
import { statisticsOf } from "./statistics";
import type { Statistics } from "./statistics";
import type { ContentOrigin } from "@/events/analysis/lineage/copy-in";
import { scriptOf } from "@/events/history/timeline/script";
import type { ClientRuns } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

type Questions = {
  statistics: { at: number };
  /** The first `most` passages that contain words, and the number of all such passages. */
  passages: { at: number; most: number };
  account: { stretch: Stretch };
  search: { words: string };
  rewriting: object;
  /** The state of the words of these anchors at the newest revision. */
  anchors: { anchors: readonly Anchor[] };
};
type Answers = {
  statistics: Statistics;
  passages: { passages: Passage[]; all: number };
  account: AccountEntry[];
  search: Found[];
  rewriting: { data: RewritingData; clientRuns: ClientRuns };
  anchors: AnchorAnswers;
};

export type QuestionKind = keyof Questions;
/** A query on a whole history. The answer may take long for a long history. */
export type Question<Kind extends QuestionKind = QuestionKind> = {
  [Each in Kind]: { kind: Each } & Questions[Each];
}[Kind];
export type Answer<Kind extends QuestionKind = QuestionKind> = Answers[Kind];

const ways: {
  [Kind in QuestionKind]: (
    timeline: Timeline,
    contentOrigin: ContentOrigin,
    question: Question<Kind>,
  ) => Answer<Kind>;
} = {
  statistics: (timeline, contentOrigin, { at }) => statisticsOf(timeline, at, contentOrigin),
  passages: (timeline, contentOrigin, { at, most }) => {
    const passages = passagesAt(timeline, at, contentOrigin).filter(
      ({ text }) => text.trim() !== "",
    );
    return { passages: passages.slice(0, most), all: passages.length };
  },
  account: (timeline, contentOrigin, { stretch }) =>
    accountOfChanges(timeline, stretch, contentOrigin),
  search: (timeline, _, { words }) => searchThroughTime(timeline, words),
  rewriting: (timeline) => ({
    data: rewritingOf(timeline).data,
    clientRuns: scriptOf(timeline).clientRuns(),
  }),
  anchors: (timeline, _, { anchors }) => anchorOutcomes(timeline, rewritingOf(timeline), anchors),
};

/** Answers a query from a timeline. */
export function answered<Kind extends QuestionKind>(
  timeline: Timeline,
  contentOrigin: ContentOrigin,
  question: Question<Kind>,
): Answer<Kind> {
  return ways[question.kind](timeline, contentOrigin, question);
}
