import { describe, expect, it } from "vitest";
import { placeFrom } from "./reading-place";

const place = { block: 3, line: 0, words: "Where I was", offset: -12.5 };

describe("placeFrom", () => {
  it("accepts a stored place", () => {
    expect(placeFrom(JSON.parse(JSON.stringify(place)))).toEqual(place);
  });

  it("drops unknown fields", () => {
    expect(placeFrom({ ...place, more: 1 })).toEqual(place);
  });

  it.each([
    null,
    undefined,
    7,
    "reading",
    [],
    [3, 0, "Where I was", 0],
    {},
    { ...place, block: 1.5 },
    { ...place, line: "0" },
    { ...place, words: null },
    { ...place, offset: Number.NaN },
    { ...place, offset: Number.POSITIVE_INFINITY },
  ])("reads %j as no place", (stored) => {
    expect(placeFrom(stored)).toBeNull();
  });
});
