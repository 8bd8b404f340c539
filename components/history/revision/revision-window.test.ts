import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import { movesOf } from "@/events/analysis/lineage/moves";
import type { Block } from "@/events/history/timeline/full-history-text";
import { blockAt } from "@/events/history/timeline/text-page";
import type { PageNode, PageText } from "@/events/history/timeline/text-page";
import { stream } from "@/events/history/timeline/rows.fixture";
import type { Timeline } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { unchanged, viewOf, windowAt } from "./revision-window";
import type { RevisionWindow } from "./revision-window";

const gesture = fc.record({
  kind: fc.nat(8),
  at: fc.nat(20),
  size: fc.nat(60),
  writer: fc.nat(2),
  word: fc.constantFrom("a", "the quick", "brown"),
});
const people = new Map([
  [3_141_592_653, "Ana"],
  [7, "Ben"],
  [2 ** 40 + 1, "Carol"],
]);
const start = Date.UTC(2026, 10, 14, 15, 42);

/** Returns what the page shows of a block: words, marks, tints and strikes. */
function looks(block: Block, window: RevisionWindow, timeline: Timeline): unknown {
  const { fresh, session, moving } = window;
  const stateOf = ({ born, died }: PageText) =>
    died === null
      ? born < session
        ? "old"
        : born < fresh
          ? "dry"
          : "fresh"
      : died >= fresh || moving
        ? "struck"
        : "gone";
  const look = (node: PageNode | PageText): unknown =>
    "text" in node
      ? [node.text, node.marks, stateOf(node)]
      : [node.name, node.attrs, node.died === null, node.content.map(look)];
  return blockAt(block, viewOf(window, timeline, contentOriginOf(timeline), movesOf(timeline))).map(
    look,
  );
}

describe("the view of a revision", () => {
  it("keeps a block only if it looks the same, even as playing begins or ends", () => {
    const counts = { playing: 0, alike: 0 };
    fc.assert(
      fc.property(
        fc.array(fc.tuple(gesture, fc.constantFrom(50, 400, 3_000, 40_000, 4_000_000)), {
          minLength: 4,
          maxLength: 40,
        }),
        fc.array(fc.tuple(fc.nat(), fc.nat(8), fc.boolean(), fc.boolean()), {
          minLength: 12,
          maxLength: 12,
        }),
        (written, pairs) => {
          const edits = richEdits(written.map(([each]) => each));
          let time = start;
          const timed = edits.map(({ client, update }, index) => [
            {
              update,
              time: (time += written[index]?.[1] ?? 400),
              actorId: people.get(client) ?? "",
            },
          ]);
          const timeline = openTimeline(stream("Minutes", timed));
          for (const [pick, further, one, other] of pairs) {
            const at = pick % timeline.length;
            const [before, after] = [
              windowAt(timeline, at, "session", one),
              windowAt(timeline, Math.min(at + further, timeline.length - 1), "session", other),
            ];
            for (const block of timeline.blocks) {
              const now = [before, after].some(
                (window) => !block.quietBetween(window.at - 1, window.at),
              );
              if (now || !unchanged(block, before, after)) continue;
              expect(looks(block, before, timeline)).toEqual(looks(block, after, timeline));
              if (one !== other) counts.playing += 1;
              else counts.alike += 1;
            }
          }
        },
      ),
      { numRuns: 100 },
    );
    expect(counts.playing).toBeGreaterThan(200);
    expect(counts.alike).toBeGreaterThan(200);
  });
});
