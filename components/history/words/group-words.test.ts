import { describe, expect, it } from "vitest";
import { groupWords, spokenChange } from "./group-words";

const change = {
  from: 0,
  to: 4,
  wordsIn: 2,
  wordsOut: 1,
  excerpt: [
    { text: "We are ", state: "old" as const },
    { text: "one click", state: "new" as const },
    { text: "hidden ", state: "gone" as const },
  ],
};

describe("the words of the timeline bar’s card", () => {
  it("[HISTORY-10] count words in and out", () => {
    expect(groupWords(change)).toBe("2 words in, 1 out");
    expect(groupWords({ wordsIn: 1, wordsOut: 0 })).toBe("1 word in");
    expect(groupWords({ wordsIn: 0, wordsOut: 0 })).toBeNull();
  });

  it("[HISTORY-10] quote added and deleted text, and are null without a change", () => {
    expect(spokenChange(change)).toBe("2 words in, 1 out: added “one click”; struck “hidden”");
    expect(
      spokenChange({ ...change, wordsIn: 0, wordsOut: 0, excerpt: [{ text: "x", state: "new" }] }),
    ).toBe("added “x”");
    expect(spokenChange({ ...change, excerpt: [] })).toBeNull();
  });
});
