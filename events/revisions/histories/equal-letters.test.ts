import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rewritingOf } from "@/events/analysis/rewriting";
import { cases } from "@/events/core/cases.fixture";
import { scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { likeLetters } from "./like-letters.fixture";
import { anySteps, historyOf, typing } from "./steps.fixture";

/** Returns when each character that ever stood in a history was typed. */
const births = (timeline: Timeline) =>
  scriptOf(timeline).textblocks.map((textblock) => [
    ...rewritingOf(timeline).livesOf(textblock).born,
  ]);

describe("equal letters", () => {
  it("[UNDERSTAND-20] keep their first revision when they return, as distinct letters do", () => {
    let letters = 0;
    fc.assert(
      fc.property(anySteps, fc.constantFrom(1, 2, 3), (steps, distinct) => {
        // Text that a revert restores in several blocks at once is matched by its letters.
        const exact = typing(steps).filter((step) => step.do !== "take back");
        const { rows, timeline } = historyOf(exact, "");
        const told = births(timeline);
        letters += told.flat().length;
        expect(births(openTimeline(likeLetters(rows, distinct)))).toEqual(told);
      }),
      { numRuns: cases(90) },
    );
    expect(letters).toBeGreaterThan(cases(90));
  });
});
