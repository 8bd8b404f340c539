import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import type { PassageRange } from "@/events/analysis/passage";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import { scriptOf, standsAt } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { commentsOn } from "./passage-comments";

const start = Date.UTC(2026, 10, 14, 15, 42);

function block(name: string, words: string): Y.XmlElement {
  const element = new Y.XmlElement(name);
  element.insert(0, [new Y.XmlText(words)]);
  return element;
}

/** Creates a history in which Ana comments on the first of two paragraphs, then runs `act`. */
function commented(act: (root: Y.XmlFragment, undo: Y.UndoManager) => void): Timeline {
  const doc = new Y.Doc({ gc: false });
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  const root = doc.getXmlFragment("default");
  root.insert(0, [
    block("paragraph", "We correct promptly."),
    block("paragraph", "And in the open."),
  ]);
  const anchor = anchorOf(
    liveText(root),
    { textblock: 0, offset: 3 },
    { textblock: 0, offset: 10 },
    100,
  );
  const undo = new Y.UndoManager(root, { captureTimeout: 0 });
  doc.clientID += 1;
  act(root, undo);
  const [first, ...later] = stream(
    "Minutes",
    updates.map((update, at) => [
      { update, time: start + at * 1_000, actorId: at === 0 ? "Ana" : "Ben" },
    ]),
  )
    .slice(1)
    .map((each, at) => ({ ...each, version: at === 0 ? 2 : at + 3 }));
  const thread = row(
    {
      version: 3,
      actorId: "Ana",
      type: "thread.opened",
      body: { ...anchor },
      subject: { kind: "thread", id: "t" },
    },
    start + 500,
  );
  const created = row(
    { version: 1, actorId: "Ana", type: "document.created", body: { title: "Minutes" } },
    start,
  );
  const comment = row(
    {
      version: later.length + 4,
      actorId: "Carol",
      type: "comment.added",
      body: { thread: "t", text: "Always?" },
    },
    start + 9_000,
  );
  const timeline = openTimeline([created, ...(first ? [first] : []), thread, ...later, comment]);
  expect(timeline.anomalies).toEqual([]);
  return timeline;
}

/** Returns the range of a textblock that exists at a revision, by its place on the page. */
function textblockOf(timeline: Timeline, at: number, place: number): PassageRange {
  const standing = scriptOf(timeline).textblocks.flatMap((textblock, index) => {
    const offsets = [...textblock.born.keys()].filter((offset) => standsAt(textblock, offset, at));
    const [first, last] = [offsets[0], offsets.at(-1)];
    return first === undefined || last === undefined
      ? []
      : [{ start: { textblock: index, offset: first }, end: { textblock: index, offset: last } }];
  });
  const found = standing[place];
  if (!found) throw new Error(`No line ${place} stands.`);
  return found;
}

function commentTexts(timeline: Timeline, place: number, at = timeline.length - 1): string[] {
  return commentsOn(timeline, textblockOf(timeline, at, place), at).map(({ text }) => text);
}

describe("the comments on a passage", () => {
  it("belong to its words and no others [UNDERSTAND-4]", () => {
    const timeline = commented(() => undefined);
    expect([commentTexts(timeline, 0), commentTexts(timeline, 1)]).toEqual([["Always?"], []]);
  });

  it("stay with rewritten words, before and after the rewrite [UNDERSTAND-4] [UNDERSTAND-17]", () => {
    const timeline = commented((root) => {
      root.doc?.transact(() => {
        root.delete(0, 1);
        root.insert(0, [block("heading", "We correct promptly.")]);
      });
    });
    expect([
      commentTexts(timeline, 0),
      commentTexts(timeline, 1),
      commentTexts(timeline, 0, 1),
      commentTexts(timeline, 1, 1),
    ]).toEqual([["Always?"], [], ["Always?"], []]);
  });

  it("stay with words that were deleted and restored [UNDERSTAND-4] [COMMENT-5]", () => {
    const timeline = commented((root, undo) => {
      root.delete(0, 1);
      undo.undo();
    });
    expect([commentTexts(timeline, 0), commentTexts(timeline, 1)]).toEqual([["Always?"], []]);
  });
});
