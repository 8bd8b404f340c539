import { describe, expect, it } from "vitest";
import { placeFrom } from "./reading-place";

const place = { block: 3, line: 0, words: "Where I was", offset: -12.5 };

describe("placeFrom", () => {
  it("takes what was kept as it is", () => {
    expect(placeFrom(JSON.parse(JSON.stringify(place)))).toEqual(place);
  });

  it("leaves out what is not a place's own", () => {
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
  ])("takes %j for no place", (stored) => {
    expect(placeFrom(stored)).toBeNull();
  });
});
