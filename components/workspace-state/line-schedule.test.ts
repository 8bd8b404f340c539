import { expect, it } from "vitest";
import { askEvery, isAsked } from "./line-schedule";

it("[HOME-9] requests late lines for half a minute, then once a minute without end", () => {
  const rounds = Array.from({ length: 720 }, (_, round) => round).filter(isAsked);
  const seconds = rounds.map((round) => (round * askEvery) / 1_000);
  expect(seconds.slice(0, 9)).toEqual([0, 5, 10, 15, 20, 25, 60, 120, 180]);
  expect(seconds.at(-1)).toBe(59 * 60);
});
