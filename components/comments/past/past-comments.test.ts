import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { row } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { commentsAt, commentedBlock } from "./past-comments";

const start = Date.UTC(2026, 10, 14, 15, 42);

/**
 * Creates a text of two paragraphs and a thread on a word of the second. The word is then deleted,
 * and more comments follow.
 */
function sample() {
  const doc = new Y.Doc({ gc: false });
  doc.clientID = 7;
  const root = doc.getXmlFragment("default");
  const rows: TimelineRow[] = [
    row(
      { version: 1, actorId: "Ana", type: "document.created", body: { title: "Minutes" } },
      start,
    ),
  ];
  const add = (type: string, fields: Partial<TimelineRow>) =>
    rows.push(
      row(
        { version: rows.length + 1, actorId: "Ana", type, ...fields },
        start + rows.length * 1_000,
      ),
    );
  const edit = (change: () => void) => {
    const before = Y.encodeStateVector(doc);
    doc.transact(change);
    add("document.edited", {
      clientIds: [7],
      update: encodeEdits([
        { update: Y.encodeStateAsUpdate(doc, before), time: start + rows.length * 1_000 },
      ]),
    });
  };
  const words = ["We meet on Monday.", "Bring the minutes."].map((text) => new Y.XmlText(text));
  edit(() => {
    for (const textblock of words) {
      const element = new Y.XmlElement("paragraph");
      element.insert(0, [textblock]);
      root.push([element]);
    }
  });
  const anchor = anchorOf(
    liveText(root),
    { textblock: 1, offset: 10 },
    { textblock: 1, offset: 17 },
    1_000,
  );
  const about = (kind: string, id: string) => ({ subject: { kind, id } });
  add("thread.opened", { toPhase: "open", body: { ...anchor }, ...about("thread", "t") });
  add("comment.added", {
    toPhase: "shown",
    body: { thread: "t", text: "Which?" },
    ...about("comment", "c"),
  });
  edit(() => words[1]?.delete(10, 7));
  add("thread.resolved", { toPhase: "resolved", body: {}, ...about("thread", "t") });
  edit(() => words[0]?.insert(0, "So: "));
  return openTimeline(rows);
}

describe("comments at a past revision", () => {
  const timeline = sample();
  const revisions = [...Array(timeline.length).keys()];

  it("[COMMENT-13] names the block of the commented words even after their deletion", () => {
    expect(revisions.map((revision) => commentedBlock(timeline, revision)?.index ?? null)).toEqual([
      null,
      null,
      null,
      1,
      null,
      1,
      null,
    ]);
  });

  it(
    "[COMMENT-13] names the thread that a revision comments on or resolves, and still " +
      "shows one resolved at this revision",
    () => {
      expect(
        revisions
          .map((revision) => commentsAt(timeline, revision))
          .map(({ threads, now, touched }) => [threads.length, now, touched]),
      ).toEqual([
        [0, null, null],
        [0, null, null],
        [0, "t", null],
        [1, "c", "t"],
        [1, null, null],
        [1, "t", "t"],
        [0, null, null],
      ]);
    },
  );
});
