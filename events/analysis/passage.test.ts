import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTimeline, timelineOfSteps } from "./analysis.fixture";
import { lifeOfPassage, rangeOf } from "./passage";
import { scriptOf, textAt } from "@/events/history/timeline/script";

describe("the life of a passage", () => {
  it(
    "is in order, names the author of each change, and omits no " +
      "word that stands [UNDERSTAND-4]",
    () => {
      fc.assert(
        fc.property(anyTimeline, fc.nat(), (timeline, pick) => {
          const { textblocks } = scriptOf(timeline);
          const index = pick % Math.max(1, textblocks.length);
          const textblock = textblocks[index];
          if (!textblock || textblock.text.length === 0) return;
          const life = lifeOfPassage(timeline, {
            start: { textblock: index, offset: 0 },
            end: { textblock: index, offset: textblock.text.length - 1 },
          });
          for (const [at, change] of life.entries()) {
            expect(timeline.authorOf(change.from)).toBe(change.author);
            expect(timeline.authorOf(change.to)).toBe(change.author);
            expect(change.from).toBeGreaterThan(life[at - 1]?.to ?? -1);
          }
          const now = textAt(textblock, timeline.length - 1);
          const added = life.map((change) => change.added).join(" ");
          for (const word of now.split(/\s+/)) expect(added).toContain(word.slice(0, 1));
          if (life.length === 0) expect(now.trim()).toBe("");
        }),
        { numRuns: 80 },
      );
    },
  );

  it("separates writing, rewording and deletion, and omits typing slips [UNDERSTAND-4]", () => {
    const hour = 3_600_000;
    const timeline = timelineOfSteps(
      { who: "Ana", kind: 0, word: "We correct promptly." },
      { who: "Ana", kind: 1, size: 20, word: "x" },
      { who: "Ana", kind: 7 },
      { who: "Ben", kind: 2, size: 18, after: hour },
      { who: "Ben", kind: 1, size: 18, word: " now" },
      { who: "Carol", kind: 2, size: 10, after: hour },
    );
    const [textblock] = scriptOf(timeline).textblocks;
    const life = lifeOfPassage(timeline, {
      start: { textblock: 0, offset: 0 },
      end: { textblock: 0, offset: (textblock?.text.length ?? 1) - 1 },
    });
    expect(
      life.map(({ author, added, removed }) => [
        timeline.authors[author],
        added !== "",
        removed !== "",
      ]),
    ).toEqual([
      ["Ana", true, false],
      ["Ben", true, true],
      ["Carol", false, true],
    ]);
    expect(life[0]?.added).toBe("We correct promptly.");
  });

  it(
    "reaches back past rewriting to the first writing of words, with the changes between " +
      "[UNDERSTAND-4] [UNDERSTAND-17]",
    () => {
      const hour = 3_600_000;
      const timeline = timelineOfSteps(
        { who: "Ana", kind: 0, size: 1, word: "We correct promptly." },
        { who: "Ben", kind: 11, after: hour },
        { who: "Carol", kind: 1, size: 2, word: " gladly", after: hour },
        { who: "Ben", kind: 11, after: hour },
        { who: "Ana", kind: 2, size: 13, after: hour },
        { who: "Ben", kind: 9, size: 5, after: hour },
      );
      const { textblocks } = scriptOf(timeline);
      const last = timeline.length - 1;
      const whole = textblocks.flatMap((textblock, index) =>
        [...textblock.born.keys()]
          .filter((offset) => textAt(textblock, last, offset, offset + 1) !== "")
          .map((offset) => ({ textblock: index, offset })),
      );
      const range = rangeOf(whole);
      if (!range) throw new Error("Nothing stands.");
      const goes = lifeOfPassage(timeline, range).map(({ author, added, removed, atOnce }) => [
        timeline.authors[author],
        added,
        removed,
        atOnce,
      ]);
      expect(goes).toEqual([
        ["Ana", "We correct promptly.", "", false],
        ["Carol", "gladly", "", false],
        ["Ana", "", expect.stringMatching(/\p{L}/u), false],
      ]);
      expect(lifeOfPassage(timeline, { start: range.start, end: range.start })).toHaveLength(1);
    },
  );
});
