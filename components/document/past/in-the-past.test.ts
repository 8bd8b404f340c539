import { describe, expect, it } from "vitest";
import { inThePast } from "./in-the-past";

const asks = (query: string) => inThePast(new URLSearchParams(query));

describe("the address of a document", () => {
  it("[HISTORY-7] leads into the past with a revision, a range, a comparison or play", () => {
    expect(
      [
        "at=12",
        "at=12&edit=3",
        "from=5&to=12",
        "from=5.2&to=5.9",
        "compare=3&with=now",
        "play=1&speed=4",
      ].map(asks),
    ).toEqual(Array(6).fill(true));
  });

  it("[HISTORY-7] leads to the present with any other query", () => {
    expect(
      ["", "at=now", "at=-1", "from=5.", "from=.5", "play=yes", "speed=4", "version=0"].map(asks),
    ).toEqual(Array(8).fill(false));
  });
});
