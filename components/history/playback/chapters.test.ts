import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTimeline } from "@/events/analysis/analysis.fixture";
import { row } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { chapterAt, chaptersOf } from "./chapters";

const start = Date.UTC(2026, 10, 14, 15, 42);
const minute = 60_000;

describe("chapters", () => {
  const timeline = openTimeline(
    [
      ["Ana", 0],
      ["Ana", 20_000],
      ["Ana", 70_000],
      ["Ben", 130_000],
      ["Ana", 140_000],
      ["Ben", 200_000],
      ["Ana", 210_000],
      ["Ben", 90 * minute],
    ].map(([actorId, after], index) =>
      row({ version: index + 1, actorId: String(actorId) }, start + Number(after)),
    ),
  );

  it("[HISTORY-14] begin after a long pause, or where other people write", () => {
    expect(chaptersOf(timeline, "pause").map(({ from, to }) => [from, to])).toEqual([
      [0, 6],
      [7, 7],
    ]);
    expect(
      chaptersOf(timeline, "author").map(({ from, to, authors }) => [from, to, authors]),
    ).toEqual([
      [0, 2, [0]],
      [3, 6, [1, 0]],
      [7, 7, [1]],
    ]);
    expect([0, 2, 3, 7].map((index) => chapterAt(chaptersOf(timeline, "author"), index))).toEqual([
      0, 0, 1, 2,
    ]);
  });

  it("[HISTORY-14] end at named versions, and the last continues from there", () => {
    const named = openTimeline([
      ...[1, 2, 3, 4].map((version) => row({ version, actorId: "Ana" }, start + version)),
      row(
        {
          version: 5,
          actorId: "Ana",
          type: "version.named",
          subject: { kind: "version", id: "v" },
          body: { at: 2, name: "First draft" },
        },
        start + 9,
      ),
    ]);
    expect(chaptersOf(named, "version").map(({ from, to, name }) => [from, to, name])).toEqual([
      [0, 1, "First draft"],
      [2, 4, null],
    ]);
    expect(chaptersOf(timeline, "version")).toHaveLength(1);
  });

  it("[HISTORY-14] follow each other without gaps and name all their writers", () => {
    fc.assert(
      fc.property(
        anyTimeline,
        fc.constantFrom("pause" as const, "author" as const, "version" as const),
        (any, by) => {
          let next = 0;
          for (const { from, to, authors } of chaptersOf(any, by)) {
            expect(from).toBe(next);
            expect(to).toBeGreaterThanOrEqual(from);
            const seen = new Set(
              Array.from({ length: to - from + 1 }, (_, index) => any.authorOf(from + index)),
            );
            expect(new Set(authors)).toEqual(seen);
            next = to + 1;
          }
          expect(next).toBe(any.length);
        },
      ),
      { numRuns: 40 },
    );
  });
});
