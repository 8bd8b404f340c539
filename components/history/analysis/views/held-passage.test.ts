import { describe, expect, it } from "vitest";
import { timelineOfSteps } from "@/events/analysis/analysis.fixture";
import { lifeOfPassage } from "@/events/analysis/passage";
import type { PassageRange } from "@/events/analysis/passage";
import type { Timeline } from "@/events/history/timeline/timeline";
import { heldPassage } from "./held-passage";

const begun = { who: "Ana", kind: 0, word: "We correct promptly." } as const;
const above = { who: "Ben", kind: 0, word: "Somebody else’s words.", after: 3_600_000 } as const;
const range: PassageRange = {
  start: { textblock: 0, offset: 3 },
  end: { textblock: 0, offset: 9 },
};
const added = (timeline: Timeline, passage: PassageRange | undefined) =>
  passage && lifeOfPassage(timeline, passage).map((change) => change.added);

describe("the held passage", () => {
  const earlier = timelineOfSteps(begun);
  const later = timelineOfSteps(begun, above);

  it("[UNDERSTAND-11] keeps its words when another person writes above", () => {
    const held = heldPassage(null, earlier, range);
    expect(added(earlier, held?.range)).toEqual(["correct"]);
    // With the earlier timeline's places, the range now covers other words.
    expect(added(later, range)).not.toEqual(["correct"]);
    expect(added(later, heldPassage(held, later, null)?.range)).toEqual(["correct"]);
  });

  it("[UNDERSTAND-11] follows a new selection", () => {
    const next = { start: { textblock: 1, offset: 0 }, end: { textblock: 1, offset: 1 } };
    expect(heldPassage(heldPassage(null, earlier, range), later, next)).toEqual({
      timeline: later,
      range: next,
    });
    expect(heldPassage(null, later, null)).toBeNull();
  });
});
