import { describe, expect, it } from "vitest";
import { stream } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { BlockWindow } from "./block-window";

const people = new Map([[3_141_592_653, "Ana"]]);

function windowOf(paragraphs: number) {
  const edits = richEdits(
    Array.from({ length: paragraphs }, (_, at) => ({
      kind: 0,
      at,
      size: 1,
      writer: 0,
      word: `Paragraph ${at}`,
    })),
  );
  const timeline = openTimeline(
    stream(
      "Minutes",
      edits.map(({ client, update }, index) => [
        { update, time: index * 100, actorId: people.get(client) ?? "" },
      ]),
    ),
  );
  return { blocks: new BlockWindow(timeline.historyText), last: timeline.length - 1 };
}

describe("the blocks in the page", () => {
  it("are all of a short text", () => {
    const { blocks, last } = windowOf(60);
    expect(blocks.take(last, last)).toBe(true);
    expect(blocks.all().blocks).toHaveLength(60);
    expect(blocks.take(40, 40)).toBe(true);
    expect(blocks.all().blocks).toHaveLength(40);
  });

  it("are those around the viewport of a long one, with room for the others", () => {
    const { blocks, last } = windowOf(200);
    expect(blocks.take(last, last)).toBe(false);
    blocks.lay(last, { letters: 70, line: 30, gap: 10 });
    const { blocks: seen, above, below } = blocks.around({ top: 4_000, height: 400 });
    expect(seen.map(({ index }) => index)).toEqual(
      Array.from({ length: 31 }, (_, index) => 89 + index),
    );
    expect([above, below]).toEqual([89 * 40, 80 * 40]);
  });
});
