import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import { movesOf } from "@/events/analysis/lineage/moves";
import { groupChangesBefore } from "@/events/analysis/group-change";
import { pageAt } from "@/events/history/timeline/document-text";
import { blockAt } from "@/events/history/timeline/text-page";
import type { PageNode, PageText } from "@/events/history/timeline/text-page";
import type { Timeline } from "@/events/history/timeline/timeline";
import { RestoredHistory } from "@/events/revisions/restored-history.fixture";
import { moveWords } from "@/components/history/words/move-words";
import { BlockWindow } from "./block-window";
import { viewOf, windowAt } from "./revision-window";

const runsOf = (node: PageNode | PageText): PageText[] =>
  "text" in node ? [node] : node.content.flatMap(runsOf);

/** Returns the runs of the newest revision as a player at rest draws them. */
function drawn(timeline: Timeline): { blocks: number; runs: PageText[] } {
  const { returnAt } = movesOf(timeline);
  const last = timeline.length - 1;
  const window = windowAt(timeline, last, "session", false, returnAt(last) !== null);
  const blocks = new BlockWindow(timeline.historyText, (died) => returnAt(died) !== null);
  blocks.take(window.at, window.struck);
  const shown = blocks.all().blocks;
  const view = viewOf(window, timeline, contentOriginOf(timeline), movesOf(timeline));
  return {
    blocks: shown.length,
    runs: shown.flatMap((block) => blockAt(block, view)).flatMap(runsOf),
  };
}

function written(): RestoredHistory {
  const history = new RestoredHistory();
  for (const writer of [0, 1, 0]) {
    history.sync(writer);
    history.act({ writer, kind: 0, at: 0, size: 0 });
  }
  return history;
}

const nameOf = (userId: string) => userId;

describe("a restored text in the player", () => {
  it("[HISTORY-34] is drawn without deletions", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ writer: fc.nat(2), kind: fc.nat(8), at: fc.nat(20), size: fc.nat(9) }),
          {
            minLength: 2,
            maxLength: 12,
          },
        ),
        fc.nat(),
        fc.boolean(),
        (gestures, at, isUndone) => {
          const history = written();
          for (const gesture of gestures) {
            history.sync(gesture.writer);
            history.act(gesture);
          }
          const { timeline: before } = history;
          const index = at % (before.length - 1);
          const restored = history.restore(2, { kind: "revision", timeline: before, index });
          if (restored !== null && isUndone) history.undo(2, restored);
          const { timeline } = history;
          if (restored === null) return;
          const { runs, blocks } = drawn(timeline);
          expect(runs.filter(({ died }) => died !== null)).toEqual([]);
          const { text } = pageAt(timeline, timeline.length - 1);
          expect(runs.map((run) => run.text).join("")).toBe(text.replaceAll("\n", ""));
          expect(blocks).toBe(
            timeline.blocks.filter(
              ({ born, died }) => born < timeline.length && died >= timeline.length,
            ).length,
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it("[HISTORY-34] has a sentence about the restore, and none about writing or deleting", () => {
    const history = written();
    const { timeline: before } = history;
    const restored = history.restore(2, { kind: "revision", timeline: before, index: 1 }, 60_000);
    const last = () => {
      const { timeline } = history;
      const [change] = groupChangesBefore(timeline, timeline.length - 1, 6);
      if (!change) throw new Error("nothing is said");
      expect(change).toMatchObject({ wordsIn: 0, wordsOut: 0, excerpt: [] });
      expect(change.block).not.toBeNull();
      return moveWords(timeline, change.moved ?? 0, nameOf);
    };
    expect(last()).toMatch(/^restored the version of \d\d:\d\d$/);
    history.undo(2, restored ?? 0);
    expect(last()).toBe("undid a restore");
    const { timeline } = history;
    history.restore(1, { kind: "author", timeline, author: "Ben", from: 1, to: 5 }, 60_000);
    expect(last()).toBe("reverted changes by Ben");
  });
});
