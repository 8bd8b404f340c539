import { describe, expect, it } from "vitest";
import { PlaybackPath, everyRevision } from "@/events/history/timeline/playback-path";
import { row } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { axisOf } from "@/components/history/playback/timeline-axis";
import { barsOf, authorRowsOf } from "./author-rows";

const start = Date.UTC(2026, 10, 14, 15, 42);
const by = (...people: string[]) =>
  openTimeline(
    people.map((actorId, index) => row({ version: index + 1, actorId }, start + index * 100)),
  );
const route = (timeline: ReturnType<typeof by>, revisions: number[] | null = null) =>
  new PlaybackPath(timeline, {
    pacing: { kind: "real" },
    playbackFilter:
      revisions === null
        ? everyRevision
        : { revisions: Uint32Array.from(revisions), slowly: false },
    range: null,
  });

describe("the author rows of the timeline bar", () => {
  it("[HISTORY-11] draw every revision only in its author’s row", () => {
    const timeline = by("Ana", "Ben", "Ben", "Ana", "Ana", "Carol");
    const authorRows = authorRowsOf(timeline, 5);
    expect(authorRows).toEqual([
      { author: 0, revisions: 3 },
      { author: 1, revisions: 2 },
      { author: 2, revisions: 1 },
    ]);
    const bars = barsOf(
      timeline,
      axisOf(timeline, "edits", 600),
      authorRows,
      route(timeline),
      0.01,
    );
    expect(bars.map((authorRow) => authorRow.length)).toEqual([3, 2, 1]);
    for (const { all, visited } of bars.flat()) expect([all, visited]).toEqual([1, 1]);
  });

  it("[HISTORY-11] give the busiest their own rows and the others a shared one", () => {
    const timeline = by("Ana", "Ben", "Carol", "Ben", "Dan", "Dan", "Eve");
    expect(authorRowsOf(timeline, 3)).toEqual([
      { author: 1, revisions: 2 },
      { author: 3, revisions: 2 },
      { author: null, revisions: 3 },
    ]);
    const bars = barsOf(
      timeline,
      axisOf(timeline, "edits", 600),
      authorRowsOf(timeline, 3),
      route(timeline),
      0.01,
    );
    expect(bars[2]?.length).toBe(3);
  });

  it("[HISTORY-12] separate visited revisions from filtered ones", () => {
    const timeline = by("Ana", "Ana", "Ben", "Ana");
    const bars = barsOf(
      timeline,
      axisOf(timeline, "edits", 600),
      authorRowsOf(timeline, 5),
      route(timeline, [1, 3]),
      0.01,
    );
    expect(bars[0]?.map(({ visited }) => visited)).toEqual([0, 1, 1]);
    expect(bars[1]?.map(({ visited }) => visited)).toEqual([0]);
  });
});
