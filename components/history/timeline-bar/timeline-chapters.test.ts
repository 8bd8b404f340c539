import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTimeline } from "@/events/analysis/analysis.fixture";
import { chaptersOf } from "@/components/history/playback/chapters";
import { axisOf } from "@/components/history/playback/timeline-axis";
import { chapterLabel, chapterPlaces } from "./timeline-chapters";

const chapter = (from: number) => ({
  chapter: { from, to: from, authors: [0], name: null },
  text: "14 Nov",
  detail: "15:42",
});

describe("chapters on the timeline bar", () => {
  it("[HISTORY-18] have labels that never overlap, whatever the history and axis", () => {
    fc.assert(
      fc.property(
        anyTimeline,
        fc.constantFrom("pause" as const, "author" as const),
        fc.constantFrom("sessions" as const, "time" as const, "edits" as const),
        fc.constantFrom(290, 700, 1300),
        (timeline, by, kind, width) => {
          const axis = axisOf(timeline, kind, width);
          const labelled = chaptersOf(timeline, by).map((each) => ({
            chapter: each,
            ...chapterLabel(each, timeline, String, by),
          }));
          const places = chapterPlaces(labelled, axis, width);
          expect(places[0]?.chapter.from).toBe(0);
          let end = 0;
          for (const { left, maxWidth } of places.filter((place) => place.maxWidth > 0)) {
            expect(left * width).toBeGreaterThanOrEqual(end);
            end = left * width + maxWidth + 1;
            expect(end).toBeLessThanOrEqual(width + 1);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("[HISTORY-18] are left out if their lines would touch", () => {
    const positionOf = (index: number) => index / 1000;
    const places = chapterPlaces(
      [chapter(0), chapter(2), chapter(100), chapter(130), chapter(990)],
      { positionOf },
      1000,
    );
    expect(places.map(({ chapter: { from }, maxWidth }) => [from, maxWidth])).toEqual([
      [0, 90],
      [100, 900],
      [130, 0],
      [990, 0],
    ]);
  });

  it("[HISTORY-18] are named after their version, their writers or their start", () => {
    const timeline = { timeOf: () => new Date(2026, 10, 14, 15, 42).getTime() };
    const name = (author: number) => ["Ana", "Ben", "Carol"][author] ?? "";
    const one = { from: 0, to: 4, authors: [1], name: "First draft" };
    expect(chapterLabel(one, timeline, name, "version")).toEqual({
      text: "First draft",
      detail: "",
    });
    expect(chapterLabel({ ...one, name: null }, timeline, name, "version")).toEqual({
      text: "14 Nov",
      detail: "15:42",
    });
    expect(chapterLabel(one, timeline, name, "pause")).toEqual({ text: "14 Nov", detail: "15:42" });
    expect(chapterLabel(one, timeline, name, "author")).toEqual({ text: "Ben", detail: "" });
    expect(chapterLabel({ ...one, authors: [1, 0] }, timeline, name, "author")).toEqual({
      text: "Ben",
      detail: "Ana",
    });
    expect(chapterLabel({ ...one, authors: [1, 0, 2] }, timeline, name, "author")).toEqual({
      text: "Ben",
      detail: "2 others",
    });
  });
});
