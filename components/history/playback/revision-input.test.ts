import { describe, expect, it } from "vitest";
import { localInput, revisionAtTime, timeOfInput } from "./revision-input";

const times = [1_000, 2_500, 2_600, 90_000];
const history = { length: times.length, timeOf: (index: number) => times[index] ?? 0 };

describe("going to a date", () => {
  it("[HISTORY-9] finds the last revision by then, or the first if none", () => {
    expect([0, 1_000, 2_599, 2_600, 10 ** 9].map((time) => revisionAtTime(history, time))).toEqual([
      0, 0, 1, 2, 3,
    ]);
  });

  it("[HISTORY-9] reads the field’s value back as the same second", () => {
    const time = new Date(2026, 10, 14, 15, 42, 7, 480).getTime();
    expect(localInput(time)).toBe("2026-11-14T15:42:07");
    expect(timeOfInput(localInput(time))).toBe(time - 480 + 999);
    expect(["", "noon", "2026-13-40T99:99"].map(timeOfInput)).toEqual([null, null, null]);
  });
});
