import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countWords } from "@/events/content/word-count";
import { accountOfChanges } from "./account-of-changes";
import { passagesAt } from "./attribution";
import { anyTimeline, timelineOfSteps } from "./analysis.fixture";
import { scriptOf, textAt } from "@/events/history/timeline/script";
import { statisticsOf } from "./statistics";

const hour = 3_600_000;

describe("the written account", () => {
  it("lists the words that each author added and removed under each heading [UNDERSTAND-7]", () => {
    const timeline = timelineOfSteps(
      { who: "Ana", kind: 0, size: 0, word: "The rule" },
      { who: "Ana", kind: 0, at: 1, size: 1, word: "We correct promptly and in the open." },
      // Deletes three letters from the twentieth on.
      { who: "Ben", kind: 2, at: 1, size: 94, after: hour },
    );
    const account = accountOfChanges(timeline, { after: -1, to: timeline.length - 1 });
    expect(
      account.map(({ session, author, section, added, removed }) => [
        session,
        timeline.authors[author],
        section,
        added > 0,
        removed,
      ]),
    ).toEqual([
      [0, "Ana", "The rule", true, 0],
      [1, "Ben", "The rule", false, 1],
    ]);
    expect(account[1]?.removedText).toEqual(["and"]);
    expect(account[0]).toMatchObject({
      added: 9,
      atOnce: 7,
      addedText: ["The rule", "We correct promptly and in the open."],
    });
  });

  it("sorts entries by when they begin, not when they end [UNDERSTAND-7]", () => {
    const timeline = timelineOfSteps(
      { who: "Ben", kind: 0, size: 1, word: "We correct promptly." },
      { who: "Ana", kind: 0, size: 1, word: "In the open." },
      { who: "Ben", kind: 1, size: 2, word: " always" },
    );
    const account = accountOfChanges(timeline, { after: -1, to: timeline.length - 1 });
    expect(account.map(({ author, from, to }) => [timeline.authors[author], from, to])).toEqual([
      ["Ben", 1, 3],
      ["Ana", 2, 2],
    ]);
  });

  it("separates text above the first heading from text without headings [UNDERSTAND-7]", () => {
    const told = (...headings: string[]) => {
      const timeline = timelineOfSteps(
        ...headings.map((word) => ({ who: "Ana" as const, kind: 0, size: 0, word })),
        { who: "Ben", kind: 0, at: 0, size: 1, word: "We correct promptly." },
        { who: "Carol", kind: 0, at: headings.length + 1, size: 1, word: "In the open." },
      );
      const account = accountOfChanges(timeline, { after: -1, to: timeline.length - 1 });
      return account
        .filter(({ author }) => timeline.authors[author] !== "Ana")
        .map(({ section, isAboveHeadings }) => [section, isAboveHeadings]);
    };
    expect(told("The rule")).toEqual([
      [null, true],
      ["The rule", false],
    ]);
    expect(told()).toEqual([
      [null, false],
      [null, false],
    ]);
    // A heading without words is no section.
    expect(told("")).toEqual([
      [null, false],
      [null, false],
    ]);
  });

  it("omits an author’s own deletions in the session, and counts those by another person [UNDERSTAND-7]", () => {
    const timeline = timelineOfSteps(
      { who: "Ana", kind: 0, size: 1, word: "We correct promptly." },
      ...Array.from({ length: 10 }, () => ({ who: "Ana" as const, kind: 7 })),
      { who: "Ben", kind: 7 },
      // Deletes "We ".
      { who: "Ben", kind: 2, size: 3 + 7 * 10 },
    );
    const account = accountOfChanges(timeline, { after: -1, to: timeline.length - 1 });
    expect(account.map(({ author, added }) => [timeline.authors[author], added])).toEqual([
      ["Ana", 2],
      ["Ben", 0],
    ]);
    expect(account[1]?.removed).toBeGreaterThan(0);
  });

  it("accounts for every standing word under its author [UNDERSTAND-7]", () => {
    fc.assert(
      fc.property(anyTimeline, (timeline) => {
        const last = timeline.length - 1;
        const account = accountOfChanges(timeline, { after: -1, to: last });
        for (const { textblock, author, text } of passagesAt(timeline, last)) {
          if (countWords(text) === 0) continue;
          const own = account
            .filter((entry) => entry.author === author)
            .flatMap(({ addedText }) => addedText)
            .join(" ");
          for (const word of text.match(/[\p{L}\p{N}]/gu) ?? [])
            expect(own, `line ${textblock}`).toContain(word);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("sums sessions to the totals of the authors, and shares to the whole [UNDERSTAND-8]", () => {
    fc.assert(
      fc.property(anyTimeline, (timeline) => {
        const { authors, sessions } = statisticsOf(timeline, timeline.length - 1);
        const text = scriptOf(timeline)
          .textblocks.map((textblock) => textAt(textblock, timeline.length - 1))
          .join("");
        expect(authors.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(text === "" ? 0 : 1);
        for (const key of ["active", "added", "removed", "atOnce"] as const) {
          for (const { author, [key]: whole } of authors) {
            const parts = sessions.flatMap(({ work }) =>
              work.filter((each) => each.author === author),
            );
            expect(parts.reduce((sum, part) => sum + part[key], 0)).toBe(whole);
          }
        }
        for (const { atOnce, added } of authors) expect(atOnce).toBeLessThanOrEqual(added);
      }),
      { numRuns: 60 },
    );
  });
});
