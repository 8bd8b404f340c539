import { describe, expect, it } from "vitest";
import { groupSentence } from "./group-sentence";

const said = (...excerpt: { text: string; state: "old" | "new" | "gone" }[]) =>
  groupSentence({ excerpt })
    .map(({ text, quoted }) => (quoted ? `“${text}”` : text))
    .join("");

describe("the sentence of a group", () => {
  it("[HISTORY-31] quotes deleted and written text, without unchanged text", () => {
    expect(
      said(
        { text: "Monday: ", state: "old" },
        { text: "closed", state: "gone" },
        { text: "14 to 17", state: "new" },
      ),
    ).toBe("deleted “closed” and wrote “14 to 17”");
    expect(said({ text: "We cannot staff it.", state: "gone" })).toBe(
      "deleted “We cannot staff it.”",
    );
    expect(
      said({ text: "a", state: "new" }, { text: "b", state: "old" }, { text: "c", state: "new" }),
    ).toBe("wrote “a … c”");
  });

  it("[HISTORY-31] is cut between words or letters if it is long", () => {
    expect(said({ text: "word ".repeat(40), state: "new" })).toMatch(/^wrote “(word ){11,12}…”$/);
    expect(said({ text: "😀".repeat(100), state: "new" })).toBe(`wrote “${"😀".repeat(60)} …”`);
  });
});
