import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passagesAt } from "@/events/analysis/attribution";
import { statisticsOf } from "@/events/analysis/statistics";
import { cases } from "@/events/core/cases.fixture";
import { RestoredHistory, typedLetters, writers } from "./restored-history.fixture";

const gesture = (kinds: number[]) =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    at: fc.nat(20),
    size: fc.nat(60),
    writer: fc.nat(2),
  });
const typing = [0, 1, 1, 1, 2, 2, 4, 7];
const rewriting = [...typing, 9, 10, 11];

type Step =
  | {
      do: "act";
      gesture: { kind: number; at: number; size: number; writer: number };
      alone: boolean;
    }
  | { do: "restore"; writer: number; pick: number }
  | { do: "take back"; writer: number; of: number; pick: number }
  | { do: "undo"; writer: number };

const stepOf = (kinds: number[]): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant("act" as const),
        gesture: gesture(kinds),
        alone: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("restore" as const),
        writer: fc.nat(2),
        pick: fc.nat(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("take back" as const),
        writer: fc.nat(2),
        of: fc.nat(2),
        pick: fc.nat(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("undo" as const), writer: fc.nat(2) }) },
  );

/** What three writers do, restore and undo, in any order. */
const stepsOf = (kinds: number[]) => fc.array(stepOf(kinds), { minLength: 6, maxLength: 30 });

function made(steps: readonly Step[], isConcurrent = true): RestoredHistory {
  const history = new RestoredHistory();
  let last: number | null = null;
  for (const step of steps) {
    if (step.do === "act") {
      // Two who rewrite one block at once write its words twice.
      if (!step.alone || !isConcurrent) history.sync(step.gesture.writer);
      history.act(step.gesture);
      continue;
    }
    if (step.do === "undo") {
      if (last !== null) last = history.undo(step.writer, last);
      continue;
    }
    const { timeline } = history;
    const index = step.pick % timeline.length;
    last =
      step.do === "restore"
        ? history.restore(step.writer, { kind: "revision", timeline, index })
        : history.restore(step.writer, {
            kind: "author",
            timeline,
            author: writers[step.of % 3] ?? "Ana",
            from: Math.min(index, timeline.length - 2),
            to: timeline.length - 1,
          });
  }
  return history;
}

describe("who wrote what, through any restores", () => {
  it("gives every standing letter one author, who is the one who typed it [UNDERSTAND-20]", () => {
    fc.assert(
      fc.property(stepsOf(rewriting), (steps) => {
        const history = made(steps, false);
        const { timeline } = history;
        expect(timeline.anomalies).toEqual([]);
        const told = passagesAt(timeline, timeline.length - 1);
        const letters = told.flatMap(({ text, author }) =>
          typedLetters(text).map((letter) => [letter, timeline.authors[author]]),
        );
        expect(letters.map(([letter]) => letter)).toEqual(
          typedLetters(told.map(({ text }) => text).join("")),
        );
        expect(letters).toEqual(
          letters.map(([letter]) => [letter, history.typist.get(letter ?? "")]),
        );
      }),
      { numRuns: cases(90) },
    );
  });

  it("takes back every letter of a person, and nobody else's, after any restores [ACT-2]", () => {
    fc.assert(
      fc.property(stepsOf(typing), fc.nat(2), fc.nat(2), (steps, of, writer) => {
        const history = made(steps, false);
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
        expect(before.filter((letter) => history.typist.get(letter) !== author)).toEqual(
          before.filter(
            (letter) => history.typist.get(letter) !== author && after.includes(letter),
          ),
        );
        expect(new Set(after).size).toBe(after.length);
      }),
      { numRuns: cases(90) },
    );
  });
});

describe("taking back what one person did", () => {
  const typed = (history: RestoredHistory, letters: string[], name: string) =>
    letters.filter((letter) => history.typist.get(letter) === name);

  /** What the page of authors counts. */
  const counts = ({ timeline }: RestoredHistory) =>
    statisticsOf(timeline, timeline.length - 1).authors;

  it("takes their words after a restore that was undone, and brings back what they deleted [ACT-2] [UNDERSTAND-20]", () => {
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
});
