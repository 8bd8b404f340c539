import { describe, expect, it } from "vitest";
import { emojiToward } from "./emoji-keys";

// Two groups with rows of three places. The last row of the first group has one place.
const places = [
  [0, 0],
  [40, 0],
  [80, 0],
  [0, 40],
  [0, 110],
  [40, 110],
].map(([left = 0, top = 0]) => ({ left, top }));
const toward = (key: string, here: number) => emojiToward(key, here, () => places);

describe("the arrow keys in a list of emoji", () => {
  it("[ICON-4] move along rows, wrap at their ends, and stop at the list’s ends", () => {
    expect([0, 2, 5].map((here) => toward("ArrowRight", here))).toEqual([1, 3, 5]);
    expect([0, 3, 5].map((here) => toward("ArrowLeft", here))).toEqual([0, 2, 4]);
    expect([toward("Home", 4), toward("End", 1)]).toEqual([0, 5]);
  });

  it("[ICON-4] move to the nearest place of the next row, and above the first", () => {
    expect([0, 2, 3, 5].map((here) => toward("ArrowDown", here))).toEqual([3, 3, 4, 5]);
    expect([5, 4, 3, 1].map((here) => toward("ArrowUp", here))).toEqual([3, 3, 0, "above"]);
  });

  it("[ICON-4] leave every other key alone", () => {
    expect(["Tab", "Enter", "Escape", "a", " "].map((key) => toward(key, 0))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
