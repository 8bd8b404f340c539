import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passagesAt, sharesAt } from "./attribution";
import { pageAt } from "@/events/history/timeline/document-text";
import { anyTimeline, timelineOfSteps } from "./analysis.fixture";

describe("attribution", () => {
  it("names the author of every standing character at any revision [UNDERSTAND-1]", () => {
    fc.assert(
      fc.property(anyTimeline, fc.nat(), (timeline, pick) => {
        const at = pick % timeline.length;
        const passages = passagesAt(timeline, at);
        const { text, authors } = pageAt(timeline, at);
        expect(passages.map((passage) => passage.text).join("")).toBe(text.replaceAll("\n", ""));
        const byPage = authors.flatMap(({ length, author }) =>
          Array.from({ length }, () => author),
        );
        expect(
          passages.flatMap((passage) =>
            Array.from({ length: passage.text.length }, () => passage.author),
          ),
        ).toEqual(byPage);
        for (const { first, last, author } of passages) {
          expect(first).toBeLessThanOrEqual(last);
          expect([timeline.authorOf(first), timeline.authorOf(last)]).toEqual([author, author]);
          expect(timeline.timingMap.sessionOf(first)).toBe(timeline.timingMap.sessionOf(last));
        }
        expect(sharesAt(timeline, at).written.reduce((sum, share) => sum + share, 0)).toBe(
          byPage.length,
        );
      }),
      { numRuns: 80 },
    );
  });

  it("separates typed text from text inserted at once [UNDERSTAND-2]", () => {
    const pasted = "The managing editor reads it before it is published.";
    const timeline = timelineOfSteps(
      { who: "Ana", kind: 0, word: "Typed. " },
      { who: "Ana", kind: 1, size: 7, word: pasted },
    );
    expect(
      passagesAt(timeline, timeline.length - 1).map(({ text, atOnce }) => [text, atOnce]),
    ).toEqual([
      ["Typed. ", false],
      [pasted, true],
    ]);
  });
});
