import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisOf } from "@/components/history/playback/timeline-axis";
import { axisKinds, gaps, timelineOf } from "@/components/history/playback/timeline-axis.fixture";
import { ticksOf } from "./axis-labels";

describe("the axis labels", () => {
  it("[HISTORY-11] never touch each other", () => {
    fc.assert(
      fc.property(gaps, axisKinds, fc.constantFrom(288, 366, 700, 1300), (steps, kind, width) => {
        const timeline = timelineOf(steps);
        const lefts = ticksOf(timeline, axisOf(timeline, kind, width), width).map(
          ({ left }) => left * width,
        );
        expect(lefts[0]).toBe(0);
        for (const [index, left] of lefts.slice(1).entries())
          expect(left - (lefts[index] ?? 0)).toBeGreaterThanOrEqual(55.9);
      }),
    );
  });
});
