import { describe, expect, it } from "vitest";
import { TimingMap } from "./timing-map";

const hour = 3_600_000;

describe("pace", () => {
  it("plays pauses of more than two seconds in 0.6 s, and all else in real time [REPLAY-6]", () => {
    const timingMap = new TimingMap([0, 1500, 3400, 60_000, 60_100]);
    expect([0, 1, 2, 3, 4].map((index) => timingMap.playedAt(index))).toEqual([
      0, 1500, 3400, 4000, 4100,
    ]);
    expect(timingMap.length).toBe(4100);
    expect(
      [-5, 0, 1499, 1500, 3999, 4000, 99_999].map((played) => timingMap.revisionAt(played)),
    ).toEqual([0, 0, 0, 1, 2, 3, 4]);
  });

  it("begins a session after half an hour of silence [REPLAY-6]", () => {
    const timingMap = new TimingMap([0, 10, hour, hour + 10, 3 * hour]);
    expect(timingMap.sessions).toEqual([
      { from: 0, to: 1 },
      { from: 2, to: 3 },
      { from: 4, to: 4 },
    ]);
    expect([0, 1, 2, 3, 4].map((index) => timingMap.sessionOf(index))).toEqual([0, 0, 1, 1, 2]);
  });

  it("is empty for an empty history", () => {
    const timingMap = new TimingMap([]);
    expect([
      timingMap.length,
      timingMap.revisionAt(10),
      timingMap.playedAt(3),
      timingMap.sessions.length,
    ]).toEqual([0, 0, 0, 0]);
  });
});
