import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountOfChanges } from "./account-of-changes";
import { passagesAt } from "./attribution";
import { timelineOfSteps, timelineOfEdits } from "./analysis.fixture";
import { rewritingOf } from "./rewriting";
import { statisticsOf } from "./statistics";
import { cases } from "@/events/core/cases.fixture";
import { richEdits, rewritingGesture } from "@/events/crdt/updates/rich-edits.fixture";
import { never } from "@/events/crdt/updates/lifespans";
import type { Textblock } from "@/events/history/timeline/full-history-text";
import { blockAt } from "@/events/history/timeline/text-page";
import { idOf, scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/** Returns a unique letter for each gesture, so that the text itself shows when each was typed. */
const letterOf = (gesture: number) => String.fromCharCode(0xac00 + gesture);
const anyRewriting = fc.array(rewritingGesture, { minLength: 5, maxLength: 40 }).map((gestures) =>
  timelineOfEdits(
    richEdits(
      gestures.map((each, at) => {
        const letter = letterOf(at);
        return {
          ...each,
          word:
            at % 3 === 0 ? `${letter}${letter} ${letter}${letter}${letter}` : `${letter}${letter} `,
        };
      }),
    ),
  ),
);

/** Returns the revision at which each letter first stood in the text. */
function firstRevisions(timeline: Timeline): Map<string, number> {
  const firsts = new Map<string, number>();
  for (const { text, born } of scriptOf(timeline).textblocks) {
    for (const [offset, letter] of [...text].entries())
      firsts.set(letter, Math.min(firsts.get(letter) ?? never, born[offset] ?? never));
  }
  return firsts;
}

const long = "The managing editor reads every correction before it is published, and signs it.";

describe("rewritten text", () => {
  it(
    "keeps its author and age through any splits, joins and conversions of its block " +
      "[UNDERSTAND-17]",
    () => {
      let copies = 0;
      fc.assert(
        fc.property(anyRewriting, (timeline) => {
          const firsts = firstRevisions(timeline);
          const rewriting = rewritingOf(timeline);
          for (const textblock of scriptOf(timeline).textblocks) {
            const { born, copied } = rewriting.livesOf(textblock);
            copies += copied?.reduce((sum, each) => sum + each, 0) ?? 0;
            for (const [offset, letter] of [...textblock.text].entries())
              if (letter !== " ") expect(born[offset]).toBe(firsts.get(letter));
          }
          for (const { text, author } of passagesAt(timeline, timeline.length - 1)) {
            for (const letter of text.replaceAll(" ", ""))
              expect(author).toBe(timeline.authorOf(firsts.get(letter) ?? 0));
          }
        }),
        { numRuns: cases(100) },
      );
      expect(copies).toBeGreaterThan(cases(1_000));
    },
  );

  it("counts once as written, by its author, and as removed only where it is gone [UNDERSTAND-17]", () => {
    fc.assert(
      fc.property(anyRewriting, (timeline) => {
        const last = timeline.length - 1;
        const firsts = firstRevisions(timeline);
        const count = (texts: string[]) => {
          const counts = new Map<string, number>();
          for (const letter of texts.join("").replaceAll(" ", ""))
            counts.set(letter, (counts.get(letter) ?? 0) + 1);
          return counts;
        };
        const standing = count(passagesAt(timeline, last).map(({ text }) => text));
        const account = accountOfChanges(timeline, { after: -1, to: last });
        for (const { author, addedText } of account) {
          for (const letter of count(addedText).keys())
            expect(timeline.authorOf(firsts.get(letter) ?? 0)).toBe(author);
        }
        const [added, removed] = [
          count(account.flatMap(({ addedText }) => addedText)),
          count(account.flatMap(({ removedText }) => removedText)),
        ];
        // Letters that their author deleted again in the same session are in neither list. The
        // other letters stand or were removed.
        for (const [letter, many] of added)
          expect(many).toBe((standing.get(letter) ?? 0) + (removed.get(letter) ?? 0));
      }),
      { numRuns: cases(100) },
    );
  });

  it(
    "is not inserted at once after a split or a conversion of its paragraph [UNDERSTAND-2] " +
      "[UNDERSTAND-8]",
    () => {
      const typed = Array.from(long, (word, size) => ({
        who: "Ana" as const,
        kind: 1,
        size,
        word,
      }));
      const timeline = timelineOfSteps(
        { who: "Ana", kind: 0, size: 1 },
        ...typed,
        { who: "Ana", kind: 9, size: 20 },
        { who: "Ben", kind: 11, at: 1, after: 3_600_000 },
      );
      const passages = passagesAt(timeline, timeline.length - 1);
      expect(
        passages.map(({ text, author, atOnce }) => [text, timeline.authors[author], atOnce]),
      ).toEqual([
        [long.slice(0, 20), "Ana", false],
        [long.slice(20), "Ana", false],
      ]);
      expect(passages[1]?.first).toBe((passages[0]?.last ?? 0) + 1);
      const { authors } = statisticsOf(timeline, timeline.length - 1);
      expect(authors.map(({ added, removed, share }) => [added, removed, share])).toEqual([
        [13, 0, 1],
        [0, 0, 0],
      ]);
    },
  );

  it(
    "is removed by the person who finally deletes it, and words added between keep their author " +
      "[UNDERSTAND-7]",
    () => {
      const timeline = timelineOfSteps(
        { who: "Ana", kind: 0, size: 1, word: long },
        { who: "Ben", kind: 11, after: 3_600_000 },
        { who: "Ben", kind: 1, size: 3, word: " duty" },
        { who: "Carol", kind: 2, size: 41, after: 3_600_000 },
      );
      const account = accountOfChanges(timeline, { after: -1, to: timeline.length - 1 });
      expect(
        account.map(({ author, addedText, removedText }) => [
          timeline.authors[author],
          addedText,
          removedText,
        ]),
      ).toEqual([
        ["Ana", [long], []],
        ["Ben", ["duty"], []],
        ["Carol", [], [expect.any(String)]],
      ]);
    },
  );

  it(
    "has the colour of its first author, in the current text and in the past [UNDERSTAND-10] " +
      "[UNDERSTAND-17]",
    () => {
      const timeline = timelineOfSteps(
        { who: "Ana", kind: 0, size: 1, word: long },
        { who: "Ben", kind: 11 },
        { who: "Carol", kind: 1, size: 3, word: " duty" },
        { who: "Ben", kind: 11 },
      );
      const rewriting = rewritingOf(timeline);
      const at = timeline.length - 1;
      const view = {
        at,
        struckSince: at,
        tint: (_: number, written: number) => timeline.authorOf(written),
        birthsIn: (textblock: Textblock) => rewriting.birthsIn(textblock),
      };
      const shown = timeline.blocks
        .flatMap((block) => blockAt(block, view))
        .flatMap((node) => ("text" in node ? [] : node.content));
      expect(
        shown.map((node) =>
          "text" in node ? [node.text, timeline.authors[timeline.authorOf(node.written)]] : null,
        ),
      ).toEqual([
        ["The", "Ana"],
        [" duty", "Carol"],
        [long.slice(3), "Ana"],
      ]);
      const [textblock] = scriptOf(timeline).textblocks.filter((each) =>
        each.died.some((died) => died === never),
      );
      const id = textblock && idOf(textblock, 0);
      expect(id && rewriting.clientsOf(id.client, id.clock, long.length + 5)).toEqual([
        { client: 3_141_592_653, length: 3 },
        { client: 2 ** 40 + 1, length: 5 },
        { client: 3_141_592_653, length: long.length - 3 },
      ]);
    },
  );
});
