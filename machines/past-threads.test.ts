import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { rewritingOf } from "@/events/analysis/rewriting";
import { pastText } from "@/events/analysis/anchors/past-anchor";
import { row } from "@/events/history/timeline/rows.fixture";
import { encodeEdits } from "@/events/crdt/payload/payload";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { threadsAt } from "./past-threads";

const start = Date.UTC(2026, 10, 14, 15, 42);

/** Builds a history from its events: edits of one text, and comments on it. */
function sample() {
  const doc = new Y.Doc();
  doc.clientID = 7;
  const root = doc.getXmlFragment("default");
  const rows: TimelineRow[] = [
    row(
      { version: 1, actorId: "Ana", type: "document.created", body: { title: "Minutes" } },
      start,
    ),
  ];
  const next = () => ({ version: rows.length + 1, time: start + rows.length * 1_000 });
  const record = (
    actorId: string,
    kind: string,
    id: string,
    type: string,
    toPhase: string,
    body: TimelineRow["body"],
  ) =>
    rows.push(
      row(
        { version: next().version, actorId, type, toPhase, subject: { kind, id }, body },
        next().time,
      ),
    );
  const edit = (change: (text: Y.XmlText) => void) => {
    const before = Y.encodeStateVector(doc);
    doc.transact(() => {
      if (root.length === 0) {
        const element = new Y.XmlElement("paragraph");
        element.insert(0, [new Y.XmlText()]);
        root.insert(0, [element]);
      }
      const element = root.get(0);
      const text = element instanceof Y.XmlElement ? element.get(0) : null;
      if (text instanceof Y.XmlText) change(text);
    });
    const { version, time } = next();
    const update = encodeEdits([{ update: Y.encodeStateAsUpdate(doc, before), time }]);
    rows.push(row({ version, actorId: "Ana", clientIds: [7], update }, time));
  };
  const anchor = (from: number, to: number) => {
    const made = anchorOf(
      liveText(root),
      { textblock: 0, offset: from },
      { textblock: 0, offset: to },
      1_000,
    );
    if (!made) throw new Error("no words");
    return made;
  };
  return { root, rows, record, edit, anchor };
}

describe("threadsAt", () => {
  it("[COMMENT-6] returns the comments of a revision and the place of their words then", () => {
    const { root, rows, record, edit, anchor } = sample();
    edit((text) => text.insert(0, "We meet on Monday at nine."));
    record("Ben", "thread", "t", "thread.opened", "open", { ...anchor(11, 17) });
    record("Ben", "comment", "c", "comment.added", "shown", { thread: "t", text: "Tuesday?" });
    edit((text) => text.insert(0, "Dear all. "));
    record("Ana", "comment", "d", "comment.added", "shown", { thread: "t", text: "No." });
    record("Ben", "comment", "c", "comment.edited", "shown", { text: "Tuesday, perhaps?" });
    record("Ana", "thread", "t", "thread.resolved", "resolved", {});
    edit((text) => text.delete(21, 7));
    record("Ana", "comment", "d", "comment.deleted", "deleted", {});
    const timeline = openTimeline(rows);
    const account = Array.from({ length: timeline.length }, (_, revision) => {
      const text = pastText(timeline, rewritingOf(timeline), revision);
      return threadsAt(timeline, revision).map(({ resolved, comments, where }) => ({
        texts: comments.map(({ authorId, text: words }) => `${authorId}: ${words}`).join(" "),
        resolved,
        words: where.state === "gone" ? null : text.letters.between(where.from, where.to),
        at: where.state === "gone" ? where.at?.offset : where.from.offset,
      }));
    });
    const monday = { resolved: false, words: "Monday" };
    expect(account).toEqual([
      [],
      [],
      // A thread appears with its first comment.
      [],
      [{ ...monday, texts: "Ben: Tuesday?", at: 11 }],
      [{ ...monday, texts: "Ben: Tuesday?", at: 21 }],
      [{ ...monday, texts: "Ben: Tuesday? Ana: No.", at: 21 }],
      [{ ...monday, texts: "Ben: Tuesday, perhaps? Ana: No.", at: 21 }],
      [{ ...monday, texts: "Ben: Tuesday, perhaps? Ana: No.", at: 21, resolved: true }],
      [{ texts: "Ben: Tuesday, perhaps? Ana: No.", at: 21, resolved: true, words: null }],
      [{ texts: "Ben: Tuesday, perhaps? Ana: ", at: 21, resolved: true, words: null }],
    ]);
    expect(liveText(root).letters.textOf(0)).toBe("Dear all. We meet on at nine.");
  });
});
