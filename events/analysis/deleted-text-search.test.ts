import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchThroughTime } from "./deleted-text-search";
import { anyTimeline, timelineOfEdits, timelineOfSteps } from "./analysis.fixture";
import { deletedPassageOf } from "./deleted-passage";
import { cases } from "@/events/core/cases.fixture";
import { richEdits, rewritingGesture } from "@/events/crdt/updates/rich-edits.fixture";
import { scriptOf, standsAt } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

type Presence = { since: number; until: number | null };

/** Searches every textblock at every revision. */
function everyPresence(timeline: Timeline, words: string): Map<string, Presence> {
  const seen = new Map<string, number[]>();
  for (const [index, textblock] of scriptOf(timeline).textblocks.entries()) {
    for (let at = 0; at < timeline.length; at += 1) {
      const units = Array.from({ length: textblock.text.length }, (_, offset) => offset).filter(
        (offset) => standsAt(textblock, offset, at),
      );
      const text = units
        .map((offset) => textblock.text[offset])
        .join("")
        .toLowerCase();
      for (let found = text.indexOf(words); found !== -1; found = text.indexOf(words, found + 1)) {
        const key = `${index}:${units[found]}`;
        seen.set(key, [...(seen.get(key) ?? []), at]);
      }
    }
  }
  return new Map(
    [...seen].map(([key, revisions]) => {
      const last = revisions.at(-1) ?? 0;
      return [
        key,
        { since: revisions[0] ?? 0, until: last === timeline.length - 1 ? null : last + 1 },
      ];
    }),
  );
}

describe("search through time", () => {
  it("finds exactly the text that stood at some revision, with its first and last revision [UNDERSTAND-5]", () => {
    fc.assert(
      fc.property(
        anyTimeline,
        fc.constantFrom("a", "ab", "bb", "the", "e q", "quick", "aa", "athe"),
        (timeline, words) => {
          const found = searchThroughTime(timeline, words);
          const byKey = new Map(
            found.map(({ textblock, start, since, until }) => [
              `${textblock}:${start}`,
              { since, until },
            ]),
          );
          expect(byKey).toEqual(everyPresence(timeline, words));
          for (const { text } of found) expect(text.toLowerCase()).toBe(words);
        },
      ),
      { numRuns: cases(120) },
    );
  });

  it("lists deleted text before standing text, and nothing for a blank query", () => {
    const timeline = timelineOfSteps(
      { who: "Ana", kind: 0, word: "hidden from the reader, hidden" },
      // Deletes six letters from the beginning.
      { who: "Ben", kind: 2, size: 62 },
    );
    expect(searchThroughTime(timeline, "  ")).toEqual([]);
    const [first, second] = searchThroughTime(timeline, "HIDDEN");
    expect([first?.until === null, second?.until]).toEqual([false, null]);
  });

  it("gives the whole passage that was deleted with the words, and its place [UNDERSTAND-6]", () => {
    // Backspace deletes the letters one by one, from the last.
    const words = "One. Two three.";
    const timeline = timelineOfSteps(
      { who: "Ana", kind: 0, word: words },
      ...Array.from({ length: 11 }, () => ({ who: "Ben" as const, kind: 7 })),
    );
    const [found] = searchThroughTime(timeline, "three");
    if (!found) throw new Error("It was not found.");
    const deleted = deletedPassageOf(timeline, found);
    expect(deleted).toMatchObject({
      text: "Two three.",
      at: 1,
      range: { start: { textblock: 0, offset: 4 }, end: { textblock: 0, offset: 14 } },
    });
  });

  it("gives all paragraphs that were deleted with the words, and none that stayed [UNDERSTAND-6]", () => {
    const hour = 3_600_000;
    const timeline = timelineOfSteps(
      ...["The first.", "The second one.", "The third.", "The last."].map((word, at) => ({
        who: "Ana" as const,
        kind: 0,
        at,
        size: 1,
        word,
      })),
      { who: "Ben", kind: 4, at: 1, after: hour },
      { who: "Ben", kind: 4, at: 1 },
    );
    const [found] = searchThroughTime(timeline, "third");
    expect(found && deletedPassageOf(timeline, found)).toMatchObject({
      text: "The second one.\nThe third.",
      at: 4,
    });
  });

  it("gives a whole passage that was written and deleted in one session, without a typing slip [UNDERSTAND-6]", () => {
    const words = "We correct promptly, and in the open.";
    const letters = Array.from(words, (word, size) => ({
      who: "Ana" as const,
      kind: 1,
      size,
      word,
    }));
    const slip = [
      { who: "Ana" as const, kind: 1, size: 19, word: "x" },
      { who: "Ana" as const, kind: 7 },
    ];
    const timeline = timelineOfSteps(
      { who: "Ana", kind: 0, size: 1 },
      { who: "Ana", kind: 0, at: 1, size: 1, word: "It stays." },
      ...letters.slice(0, 19),
      ...slip,
      ...letters.slice(19),
      { who: "Ana", kind: 4, at: 0 },
    );
    const [found] = searchThroughTime(timeline, "prompt");
    expect(found && deletedPassageOf(timeline, found)).toMatchObject({
      text: words,
      at: timeline.length - 2,
    });
  });

  it("does not report rewritten or divided words as gone [UNDERSTAND-5] [UNDERSTAND-17]", () => {
    const hour = 3_600_000;
    const timeline = timelineOfSteps(
      { who: "Ana", kind: 0, size: 1, word: "We correct promptly." },
      { who: "Ben", kind: 11, after: hour },
      // Writes between “promptly” and the text before that word.
      { who: "Ben", kind: 9, size: 11 },
      { who: "Carol", kind: 1, at: 1, size: 4, word: "-" },
    );
    const presence = (words: string) =>
      searchThroughTime(timeline, words).map(({ since, until, gone }) => [since, until, gone]);
    expect(presence("correct")).toEqual([[1, null, false]]);
    expect(presence("prom")).toEqual([[1, null, false]]);
    expect(presence("promptly")).toEqual([[1, 4, false]]);
    expect(presence("correct promptly")).toEqual([[1, 3, false]]);
    for (const found of searchThroughTime(timeline, "promptly"))
      expect(deletedPassageOf(timeline, found)).toBeNull();
  });

  it(
    "finds every letter once, however often it was rewritten, and marks only deleted ones as " +
      "gone [UNDERSTAND-5] [UNDERSTAND-17]",
    () => {
      const letters = "abcdefghijklmnopqrstuvwxyz";
      fc.assert(
        fc.property(fc.array(rewritingGesture, { minLength: 5, maxLength: 26 }), (gestures) => {
          const timeline = timelineOfEdits(
            richEdits(gestures.map((each, at) => ({ ...each, word: letters[at] ?? "a" }))),
          );
          for (const letter of letters.slice(0, gestures.length)) {
            const found = searchThroughTime(timeline, letter);
            const standing = scriptOf(timeline).textblocks.flatMap((textblock) =>
              [...textblock.text].filter(
                (each, offset) =>
                  each === letter && standsAt(textblock, offset, timeline.length - 1),
              ),
            );
            expect(found.filter(({ until }) => until === null).length).toBe(standing.length);
            // Each gesture writes its letter once, and each copy continues that letter.
            expect(found.length).toBeLessThanOrEqual(1);
            for (const { until, gone } of found) expect(gone).toBe(until !== null);
          }
        }),
        { numRuns: cases(100) },
      );
    },
  );
});
