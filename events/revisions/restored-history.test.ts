import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passagesAt } from "@/events/analysis/attribution";
import { statisticsOf } from "@/events/analysis/statistics";
import { cases } from "@/events/core/cases.fixture";
import { anySteps, historyOf } from "./histories/steps.fixture";
import { RestoredHistory, takenOutBy, typedLetters, writers } from "./restored-history.fixture";

describe("authorship through any restores", () => {
  it("names the typist as the one author of every standing letter [UNDERSTAND-20]", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const history = historyOf(steps);
        const { timeline } = history;
        expect(timeline.anomalies).toEqual([]);
        const told = passagesAt(timeline, timeline.length - 1);
        const letters = told.flatMap(({ text, author }) =>
          typedLetters(text).map((letter) => [letter, timeline.authors[author]]),
        );
        expect(letters.map(([letter]) => letter)).toEqual(
          typedLetters(told.map(({ text }) => text).join("")),
        );
        expect(new Set(letters.map(([letter]) => letter)).size).toBe(letters.length);
        expect(letters).toEqual(
          letters.map(([letter]) => [letter, history.typist.get(letter ?? "")]),
        );
      }),
      { numRuns: cases(90) },
    );
  });

  it("reverts every letter of a person, and of no other person, after any restores [ACT-2]", () => {
    fc.assert(
      fc.property(anySteps, fc.nat(2), fc.nat(2), (steps, of, writer) => {
        const history = historyOf(steps);
        const author = writers[of] ?? "Ana";
        const before = typedLetters(history.text);
        const { timeline } = history;
        history.restore(writer, {
          kind: "author",
          timeline,
          author,
          from: 0,
          to: timeline.length - 1,
        });
        const after = typedLetters(history.text);
        expect(after.filter((letter) => history.typist.get(letter) === author)).toEqual([]);
        expect(
          before.filter(
            (letter) => history.typist.get(letter) !== author && !after.includes(letter),
          ),
        ).toEqual([]);
        expect(new Set(after).size).toBe(after.length);
        const returned = after.filter((letter) => !before.includes(letter));
        expect(returned.filter((letter) => !takenOutBy(timeline, letter).has(author))).toEqual([]);
      }),
      { numRuns: cases(90) },
    );
  });
});

describe("reverting the changes of one person", () => {
  const typed = (history: RestoredHistory, letters: string[], name: string) =>
    letters.filter((letter) => history.typist.get(letter) === name);

  /** Returns the counts in the statistics of authors. */
  const counts = ({ timeline }: RestoredHistory) =>
    statisticsOf(timeline, timeline.length - 1).authors;

  it("removes their words after an undone restore, and restores what they deleted [ACT-2] [UNDERSTAND-20]", () => {
    const history = new RestoredHistory();
    const write = (writer: number, kind: number, at = 0, size = 0) => {
      history.sync(writer);
      history.act({ kind, at, size, writer });
    };
    write(2, 0);
    write(0, 0, 1);
    write(1, 1, 0, 0);
    write(1, 2, 0, 4);
    write(1, 0, 2);
    const before = typedLetters(history.text);
    const counted = counts(history);
    const early = { kind: "revision" as const, timeline: history.timeline, index: 0 };
    const restored = history.restore(2, early) ?? 0;
    expect(typedLetters(history.text)).toEqual([]);
    history.undo(2, restored);
    expect(typedLetters(history.text)).toEqual(before);
    expect(counts(history)).toEqual(counted);
    const { timeline } = history;
    const to = timeline.length - 1;
    expect(typed(history, before, "Ben")).not.toEqual([]);
    history.restore(2, { kind: "author", timeline, author: "Ben", from: 0, to });
    const others = [...history.typist].filter(([, name]) => name !== "Ben");
    expect(typedLetters(history.text).toSorted()).toEqual(
      others.map(([letter]) => letter).toSorted(),
    );
  });

  it("restores words once if the restore that removed them is undone after another one restored them [ACT-3]", () => {
    const history = new RestoredHistory();
    history.act({ kind: 0, at: 0, size: 1, writer: 0 });
    const { timeline, text } = history;
    const emptied = history.restore(1, { kind: "revision", timeline, index: 0 }) ?? 0;
    expect(typedLetters(history.text)).toEqual([]);
    history.restore(2, { kind: "revision", timeline, index: timeline.length - 1 });
    history.undo(1, emptied);
    expect(history.text).toBe(text);
  });

  it("reverts all of a restore that left an empty text [ACT-2]", () => {
    const history = new RestoredHistory();
    history.act({ kind: 0, at: 0, size: 1, writer: 0 });
    const { text, timeline: written } = history;
    history.restore(1, { kind: "revision", timeline: written, index: 0 });
    const { timeline } = history;
    const to = timeline.length - 1;
    // One revision removes the words. The next inserts the empty paragraph that the editor needs.
    expect(to).toBe(written.length + 1);
    history.restore(1, { kind: "author", timeline, author: "Ben", from: to - 1, to });
    expect(history.text).toBe(text);
  });

  it("removes what a restore brought, even from a block that was split since [ACT-3]", () => {
    const history = new RestoredHistory();
    history.act({ kind: 0, at: 0, size: 1, writer: 0 });
    const { timeline } = history;
    history.act({ kind: 2, at: 0, size: 24, writer: 0 });
    expect(typedLetters(history.text)).toEqual([]);
    const index = timeline.length - 1;
    const brought = history.restore(1, { kind: "revision", timeline, index }) ?? 0;
    history.sync(2);
    history.act({ kind: 9, at: 0, size: 1, writer: 2 });
    expect(typedLetters(history.text)).toHaveLength(2);
    history.undo(1, brought);
    expect(typedLetters(history.text)).toEqual([]);
  });
});
