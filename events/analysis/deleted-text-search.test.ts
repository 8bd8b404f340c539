import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchThroughTime } from "./deleted-text-search";
import { anyTimeline, timelineOfEdits, told } from "./insight.fixture";
import { lostWith } from "./lost-passage";
import { richEdits, rewritingGesture } from "@/events/crdt/updates/rich-edits.fixture";
import { scriptOf, standsAt } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";

type Presence = { since: number; until: number | null };

/** Looks through every line at every moment. */
function everyPresence(timeline: Timeline, words: string): Map<string, Presence> {
  const seen = new Map<string, number[]>();
  for (const [index, line] of scriptOf(timeline).lines.entries()) {
    for (let at = 0; at < timeline.length; at += 1) {
      const units = Array.from({ length: line.text.length }, (_, offset) => offset).filter(
        (offset) => standsAt(line, offset, at),
      );
      const text = units
        .map((offset) => line.text[offset])
        .join("")
        .toLowerCase();
      for (let found = text.indexOf(words); found !== -1; found = text.indexOf(words, found + 1)) {
        const key = `${index}:${units[found]}`;
        seen.set(key, [...(seen.get(key) ?? []), at]);
      }
    }
  }
  return new Map(
    [...seen].map(([key, moments]) => {
      const last = moments.at(-1) ?? 0;
      return [
        key,
        { since: moments[0] ?? 0, until: last === timeline.length - 1 ? null : last + 1 },
      ];
    }),
  );
}

describe("search through time", { timeout: 60_000 }, () => {
  it("finds exactly what stood there at some moment, with when it came and when it went [UNDERSTAND-5]", () => {
    fc.assert(
      fc.property(
        anyTimeline,
        fc.constantFrom("a", "ab", "bb", "the", "e q", "quick", "aa", "athe"),
        (timeline, words) => {
          const found = searchThroughTime(timeline, words);
          const byKey = new Map(
            found.map(({ line, start, since, until }) => [`${line}:${start}`, { since, until }]),
          );
          expect(byKey).toEqual(everyPresence(timeline, words));
          for (const { text } of found) expect(text.toLowerCase()).toBe(words);
        },
      ),
      { numRuns: 120 },
    );
  });

  it("names what went first, the latest first, and nothing for nothing", () => {
    const timeline = told(
      { who: "Ana", kind: 0, word: "hidden from the reader, hidden" },
      // Six letters from the beginning.
      { who: "Ben", kind: 2, size: 62 },
    );
    expect(searchThroughTime(timeline, "  ")).toEqual([]);
    const [first, second] = searchThroughTime(timeline, "HIDDEN");
    expect([first?.until === null, second?.until]).toEqual([false, null]);
  });

  it("tells the whole passage that went with the words, and what it stood behind [UNDERSTAND-6]", () => {
    // Backspacing takes the letters one by one, from the last.
    const words = "One. Two three.";
    const timeline = told(
      { who: "Ana", kind: 0, word: words },
      ...Array.from({ length: 11 }, () => ({ who: "Ben" as const, kind: 7 })),
    );
    const [found] = searchThroughTime(timeline, "three");
    if (!found) throw new Error("It was not found.");
    const lost = lostWith(timeline, found);
    expect(lost).toMatchObject({
      text: "Two three.",
      at: 1,
      range: { start: { line: 0, offset: 4 }, end: { line: 0, offset: 14 } },
    });
  });

  it("tells all the paragraphs that went with the words, and none that stayed [UNDERSTAND-6]", () => {
    const hour = 3_600_000;
    const timeline = told(
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
    expect(found && lostWith(timeline, found)).toMatchObject({
      text: "The second one.\nThe third.",
      at: 4,
    });
  });

  it("tells all of a passage that was written and taken away in one go, with no slip in it [UNDERSTAND-6]", () => {
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
    const timeline = told(
      { who: "Ana", kind: 0, size: 1 },
      { who: "Ana", kind: 0, at: 1, size: 1, word: "It stays." },
      ...letters.slice(0, 19),
      ...slip,
      ...letters.slice(19),
      { who: "Ana", kind: 4, at: 0 },
    );
    const [found] = searchThroughTime(timeline, "prompt");
    expect(found && lostWith(timeline, found)).toMatchObject({
      text: words,
      at: timeline.length - 2,
    });
  });

  it("takes no words for gone that were written anew or are only parted [UNDERSTAND-5] [UNDERSTAND-17]", () => {
    const hour = 3_600_000;
    const timeline = told(
      { who: "Ana", kind: 0, size: 1, word: "We correct promptly." },
      { who: "Ben", kind: 11, after: hour },
      // Between “promptly” and what stands before it.
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
      expect(lostWith(timeline, found)).toBeNull();
  });

  it("finds every letter once, however often it was written anew, and says of no other that it is gone [UNDERSTAND-5] [UNDERSTAND-17]", () => {
    const letters = "abcdefghijklmnopqrstuvwxyz";
    fc.assert(
      fc.property(fc.array(rewritingGesture, { minLength: 5, maxLength: 26 }), (gestures) => {
        const timeline = timelineOfEdits(
          richEdits(gestures.map((each, at) => ({ ...each, word: letters[at] ?? "a" }))),
        );
        for (const letter of letters.slice(0, gestures.length)) {
          const found = searchThroughTime(timeline, letter);
          const standing = scriptOf(timeline).lines.flatMap((line) =>
            [...line.text].filter(
              (each, offset) => each === letter && standsAt(line, offset, timeline.length - 1),
            ),
          );
          expect(found.filter(({ until }) => until === null).length).toBe(standing.length);
          // Each gesture writes its letter once, and no copy of it is another.
          expect(found.length).toBeLessThanOrEqual(1);
          for (const { until, gone } of found) expect(gone).toBe(until !== null);
        }
      }),
      { numRuns: 100 },
    );
  });
});
