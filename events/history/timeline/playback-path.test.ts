import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PlaybackPath, everyRevision } from "./playback-path";
import type { Pacing } from "./playback-path";
import { TimingMap } from "./timing-map";

function historyOf(times: number[]) {
  return {
    length: times.length,
    timingMap: new TimingMap(times),
    timeOf: (index: number) => times[index] ?? 0,
  };
}

const real: Pacing = { kind: "real" };
const history = historyOf([0, 500, 1000, 60_000, 60_400, 3_600_000]);
const playbackPath = (
  pacing: Pacing,
  revisions: number[] | null = null,
  range: { from: number; to: number } | null = null,
  slowly = false,
) =>
  new PlaybackPath(history, {
    pacing,
    range,
    playbackFilter: { revisions: revisions && Uint32Array.from(revisions), slowly },
  });
const reached = (of: PlaybackPath) => [0, 1, 2, 3, 4, 5].map((index) => of.playedAt(index));

describe("a playback path", () => {
  it("plays with pauses cut short, at an even pace, or within a time [REPLAY-6]", () => {
    expect(reached(playbackPath(real))).toEqual([0, 500, 1000, 1600, 2000, 2600]);
    expect(reached(playbackPath({ kind: "even" }))).toEqual([0, 120, 240, 360, 480, 600]);
    expect(playbackPath({ kind: "within", ms: 1300 }).length).toBe(1300);
    expect(reached(playbackPath({ kind: "within", ms: 1300 }))[3]).toBe(800);
    expect(playbackPath({ kind: "within", ms: 60_000 }).length).toBe(2600);
  });

  it("states the length of each pause that it cuts [REPLAY-6]", () => {
    expect([0, 2, 4, 5].map((index) => playbackPath(real).pauseAfter(index))).toEqual([
      0, 59_000, 3_539_600, 0,
    ]);
    expect(playbackPath(real, [0, 4]).pauseAfter(2)).toBe(60_400);
  });

  it("keeps to a range [REPLAY-9]", () => {
    const part = playbackPath(real, null, { from: 2, to: 4 });
    expect([part.first, part.last, part.count, part.length]).toEqual([2, 4, 3, 1000]);
    expect([part.from(0), part.upTo(5), part.upTo(1), part.from(5)]).toEqual([2, 4, null, null]);
    expect(playbackPath(real, [0, 2, 5], { from: 1, to: 4 }).count).toBe(1);
  });

  it("leaves time to read comments [REPLAY-10]", () => {
    expect(reached(playbackPath(real, [0, 3, 5], null, true))).toEqual([0, 0, 0, 2000, 2000, 4000]);
    expect(playbackPath({ kind: "even" }, [0, 3, 5], null, true).length).toBe(4000);
  });

  it("shows every chosen revision at its time, in order, and no other [REPLAY-10]", () => {
    const gaps = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 3000, max: 10 ** 7 })),
      { minLength: 1, maxLength: 60 },
    );
    const pacing = fc.constantFrom<Pacing>(real, { kind: "even" }, { kind: "within", ms: 700 });
    fc.assert(
      fc.property(
        gaps,
        pacing,
        fc.func(fc.boolean()),
        fc.boolean(),
        fc.array(fc.nat(80)),
        (steps, timingMap, chosen, all, places) => {
          let time = 0;
          const any = historyOf([0, ...steps.map((gap) => (time += gap))]);
          const indices = [...Array(any.length).keys()];
          const revisions = all ? indices : indices.filter((index) => chosen(index));
          const playbackFilter = all
            ? everyRevision
            : { revisions: Uint32Array.from(revisions), slowly: false };
          const way = new PlaybackPath(any, { pacing: timingMap, playbackFilter, range: null });
          expect(way.count).toBe(revisions.length);
          for (const index of revisions)
            expect(way.revisionAt(way.playedAt(index) + 1e-9)).toBe(index);
          for (const place of places) {
            expect(way.from(place)).toBe(revisions.find((index) => index >= place) ?? null);
            expect(way.upTo(place)).toBe(revisions.findLast((index) => index <= place) ?? null);
            expect(way.playbackFilter(place)).toBe(revisions.includes(place));
          }
          if (timingMap.kind === "within") expect(way.length).toBeLessThanOrEqual(700 + 1e-6);
        },
      ),
    );
  });

  it("is empty for an empty history", () => {
    const none = new PlaybackPath(historyOf([]), {
      pacing: real,
      playbackFilter: everyRevision,
      range: null,
    });
    expect([
      none.count,
      none.length,
      none.revisionAt(5),
      none.from(0),
      none.playbackFilter(0),
    ]).toEqual([0, 0, 0, null, false]);
  });
});
