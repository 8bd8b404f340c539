import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lifeOfPassage } from "@/events/analysis/passage";
import { cases } from "@/events/core/cases.fixture";
import { scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import { RestoredHistory, typedLetters } from "../restored-history.fixture";
import { anySteps, historyOf } from "./steps.fixture";

/** Returns the history of all text that ever stood in a document. */
function wholeLife(timeline: Timeline) {
  const { textblocks } = scriptOf(timeline);
  const last = textblocks.findLastIndex(({ text }) => text !== "");
  const offset = (textblocks[last]?.text.length ?? 0) - 1;
  return last < 0
    ? []
    : lifeOfPassage(timeline, {
        start: { textblock: 0, offset: 0 },
        end: { textblock: last, offset },
      });
}

/** Describes each step in a few words. */
const told = (timeline: Timeline) =>
  wholeLife(timeline).map(({ author, added, removed, restored }) => [
    timeline.authors[author],
    restored === null ? "wrote" : "restored",
    typedLetters(added).length,
    typedLetters(removed).length,
  ]);

/** Ana writes, then Ben. Returns the history, and the timeline from before Ben wrote. */
function writtenByTwo() {
  const history = new RestoredHistory();
  history.act({ kind: 0, at: 0, size: 1, writer: 0 });
  history.sync(1);
  const { timeline } = history;
  history.act({ kind: 1, at: 0, size: 0, writer: 1 });
  return { history, timeline };
}

describe("the steps of a passage's life", () => {
  it("[UNDERSTAND-4] add letters before they remove them, and end at the standing text", () => {
    let removals = 0;
    fc.assert(
      fc.property(anySteps, (steps) => {
        const history = historyOf(steps, "");
        const standing = new Set<string>();
        for (const { added, removed } of wholeLife(history.timeline)) {
          const gone = typedLetters(removed);
          removals += gone.length;
          expect(gone.filter((letter) => !standing.has(letter))).toEqual([]);
          for (const letter of gone) standing.delete(letter);
          for (const letter of typedLetters(added)) standing.add(letter);
        }
        expect([...standing].toSorted()).toEqual(typedLetters(history.text).toSorted());
      }),
      { numRuns: cases(90) },
    );
    expect(removals).toBeGreaterThan(cases(90));
  });

  it("[UNDERSTAND-4] divide the writing of a person at a restore that removed some of it", () => {
    const { history, timeline } = writtenByTwo();
    history.restore(0, { kind: "revision", timeline, index: timeline.length - 1 });
    history.sync(1);
    history.act({ kind: 1, at: 0, size: 0, writer: 1 });
    expect(told(history.timeline)).toEqual([
      ["Ana", "wrote", 2, 0],
      ["Ben", "wrote", 2, 0],
      ["Ana", "restored", 0, 2],
      ["Ben", "wrote", 2, 0],
    ]);
  });

  it("[UNDERSTAND-4] [UNDERSTAND-20] keep the writing of a person whole around an undone restore, and list it first", () => {
    const { history, timeline } = writtenByTwo();
    const index = timeline.length - 1;
    const restored = history.restore(0, { kind: "revision", timeline, index }) ?? 0;
    history.undo(2, restored);
    history.sync(1);
    history.act({ kind: 1, at: 0, size: 0, writer: 1 });
    expect(told(history.timeline)).toEqual([
      ["Ana", "wrote", 2, 0],
      ["Ben", "wrote", 4, 0],
      ["Ana", "restored", 0, 2],
      ["Carol", "restored", 2, 0],
    ]);
  });
});
