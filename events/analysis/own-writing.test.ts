import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageAt } from "@/events/history/timeline/document-text";
import { anyTimeline, timelineOfSteps } from "./analysis.fixture";
import { passagesAt } from "./attribution";
import { ownWriting } from "./own-writing";

describe("a person’s own writing", () => {
  it("[ACC-31] holds their words and none of another person", () => {
    const timeline = timelineOfSteps(
      { who: "Ana", kind: 0, word: "Ana wrote this. " },
      { who: "Ben", kind: 1, size: 3, word: "Ben wrote that." },
      { who: "Ana", kind: 1, size: 9, word: "Gone." },
    );
    const told = (who: string) => ownWriting(timeline, who).map(({ text }) => text);
    expect(told("Ben").join("")).toBe("Ben wrote that.");
    expect(told("Ana").join("")).not.toMatch(/Ben|that/);
    expect(told("Mallory")).toEqual([]);
  });

  it("[ACC-31] equals the standing text that is shown as theirs, letter by letter", () => {
    fc.assert(
      fc.property(anyTimeline, (timeline) => {
        const letters = (texts: string[]) => [...texts.join("")].sort().join("");
        const last = timeline.length - 1;
        const { text } = pageAt(timeline, last);
        const all = timeline.authors.flatMap((author) =>
          ownWriting(timeline, author).filter(({ deletedAt }) => deletedAt === null),
        );
        expect(letters(all.map((passage) => passage.text)).length).toBeLessThanOrEqual(text.length);
        for (const [index, author] of timeline.authors.entries()) {
          const shown = passagesAt(timeline, last).filter((passage) => passage.author === index);
          const told = ownWriting(timeline, author).filter(({ deletedAt }) => deletedAt === null);
          expect(letters(told.map((passage) => passage.text))).toBe(
            letters(shown.map((passage) => passage.text)),
          );
        }
      }),
      { numRuns: 60 },
    );
  });
});
