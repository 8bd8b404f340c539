import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rewritingOf } from "@/events/analysis/rewriting";
import { cases } from "@/events/core/cases.fixture";
import { scriptOf } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { likeLetters } from "./like-letters.fixture";
import { anySteps, historyOf, type Step } from "./steps.fixture";

/** When each character of a history was typed that ever stood in it. */
const births = (timeline: Timeline) =>
  scriptOf(timeline).textblocks.map((textblock) => [
    ...rewritingOf(timeline).livesOf(textblock).born,
  ]);

/** What an editor writes again in another block, and what a revert brings back of several blocks, is found by its letters. */
function exactStep(step: Step): Step[] {
  if (step.do === "take back") return [];
  const isRewriting = step.do === "act" && step.gesture.kind >= 9;
  return [isRewriting ? { ...step, gesture: { ...step.gesture, kind: 1 } } : step];
}

describe("letters that are equal", () => {
  it("[UNDERSTAND-20] return as the letters that they were, as distinct letters do", () => {
    let letters = 0;
    fc.assert(
      fc.property(anySteps, fc.constantFrom(1, 2, 3), (steps, distinct) => {
        const { rows, timeline } = historyOf(steps.flatMap(exactStep), "");
        const told = births(timeline);
        letters += told.flat().length;
        expect(births(openTimeline(likeLetters(rows, distinct)))).toEqual(told);
      }),
      { numRuns: cases(90) },
    );
    expect(letters).toBeGreaterThan(cases(90));
  });
});
