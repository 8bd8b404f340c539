import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisOf, pressedRevision } from "./timeline-axis";
import { axisKinds, gaps, timelineOf } from "./timeline-axis.fixture";

describe("the axis of the timeline bar", () => {
  it("[HISTORY-11] places later revisions further on, and finds each at its place", () => {
    fc.assert(
      fc.property(gaps, axisKinds, fc.integer({ min: 200, max: 1600 }), (steps, kind, width) => {
        const timeline = timelineOf(steps);
        const axis = axisOf(timeline, kind, width);
        let before = -1;
        for (let index = 0; index < timeline.length; index += 1) {
          const position = axis.positionOf(index);
          expect(position).toBeGreaterThan(before - 1e-12);
          expect(position).toBeLessThanOrEqual(1 + 1e-9);
          expect(Math.abs(axis.positionOf(axis.revisionAt(position)) - position)).toBeLessThan(
            0.02,
          );
          before = position;
        }
        expect([axis.revisionAt(0), axis.revisionAt(1)]).toEqual([0, timeline.length - 1]);
      }),
    );
  });

  it("[HISTORY-11] selects the last revision at the very end, even with several in one pixel", () => {
    const timeline = timelineOf([5_000, 10, 10, 10]);
    const axis = axisOf(timeline, "time", 1_400);
    for (const pixels of [0, 1, 2])
      expect(pressedRevision(axis, 4, 1 - pixels / 1_400, 1_400)).toBe(4);
    expect(pressedRevision(axis, 4, 0.5, 1_400)).toBe(0);
    expect(pressedRevision(axis, 4, 0, 1_400)).toBe(0);
  });

  it("[HISTORY-11] puts sessions side by side, however long the pause between them was", () => {
    const { sessionTracks } = axisOf(timelineOf([100, 100, 9 * 86_400_000, 100]), "sessions", 1000);
    expect(sessionTracks.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [3, 4],
    ]);
    expect(sessionTracks[1]?.pauseBefore).toBe(9 * 86_400_000);
    expect((sessionTracks[1]?.left ?? 0) - (sessionTracks[0]?.right ?? 0)).toBeCloseTo(0.066);
  });

  it(
    "[HISTORY-11] keeps long pauses long on the axis of time, and spaces edits " +
      "evenly on the axis of edits",
    () => {
      const timeline = timelineOf([100, 1_000_000, 100]);
      expect(axisOf(timeline, "time", 1000).positionOf(1)).toBeLessThan(0.001);
      expect([0, 1, 2, 3].map(axisOf(timeline, "edits", 1000).positionOf)).toEqual([
        0,
        1 / 3,
        2 / 3,
        1,
      ]);
    },
  );
});
