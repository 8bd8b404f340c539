import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { toBase64 } from "@/events/core/bytes/base64";
import { anyTimeline, timelineOfSteps } from "@/events/analysis/analysis.fixture";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { outlineAt } from "@/events/history/timeline/outline";
import { row } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { filterWords, noFilter, playbackFilterOf } from "./playback-filter";
import type { Filter } from "./playback-filter";

const start = Date.UTC(2026, 10, 14, 15, 42);

describe("filters of the player", () => {
  it("[HISTORY-12] visit one person’s revisions and no other", () => {
    fc.assert(
      fc.property(
        anyTimeline,
        fc.constantFrom("Ana", "Ben", "Carol", "Mallory"),
        (timeline, author) => {
          const own = [...Array(timeline.length).keys()].filter(
            (index) => timeline.revision(index).actorId === author,
          );
          expect([
            ...(playbackFilterOf(timeline, { ...noFilter, author }).revisions ?? []),
          ]).toEqual(own);
        },
      ),
      { numRuns: 40 },
    );
    expect(
      playbackFilterOf(timelineOfSteps({ who: "Ana", kind: 0, word: "text" }), noFilter).revisions,
    ).toBeNull();
  });

  it("[HISTORY-12] visit the changes between a heading and the next one not below it", () => {
    const timeline = timelineOfSteps(
      { who: "Ana", kind: 0, at: 0, size: 3, word: "The rule" },
      { who: "Ana", kind: 0, at: 1, size: 1, word: "We correct." },
      { who: "Ben", kind: 0, at: 2, size: 3, word: "What it says" },
      { who: "Ben", kind: 1, at: 1, size: 3, word: "gladly" },
      { who: "Ana", kind: 1, at: 2, size: 0, word: "On " },
    );
    const at = timeline.length - 1;
    const outline = outlineAt(timeline, at);
    expect(outline.map(({ title }) => title)).toEqual(["The rule", "On What it says"]);
    const [rule] = outline;
    if (!rule) throw new Error("There is no section.");
    expect([
      ...(playbackFilterOf(timeline, { ...noFilter, section: rule }).revisions ?? []),
    ]).toEqual([1, 2, 4]);
    expect([
      ...(playbackFilterOf(timeline, { ...noFilter, author: "Ben", section: rule }).revisions ??
        []),
    ]).toEqual([4]);
    expect(outlineAt(timeline, 0)).toEqual([]);
  });

  it("[HISTORY-12] visit only comments, or only restores, and leave time to read them", () => {
    const types = [
      "document.created",
      "document.edited",
      "thread.opened",
      "comment.added",
      "document.reverted",
      "document.edited",
      "thread.resolved",
    ];
    const timeline = openTimeline(
      types.map((type, index) =>
        row(
          {
            version: index + 1,
            actorId: index % 2 ? "Ben" : "Ana",
            type,
            body: { title: "Minutes" },
          },
          start + index,
        ),
      ),
    );
    const comments = playbackFilterOf(timeline, { ...noFilter, kind: "comments" });
    expect([[...(comments.revisions ?? [])], comments.slowly]).toEqual([[2, 3, 6], true]);
    expect([
      ...(playbackFilterOf(timeline, { ...noFilter, kind: "restores" }).revisions ?? []),
    ]).toEqual([4]);
    expect([
      ...(playbackFilterOf(timeline, { ...noFilter, author: "Ben", kind: "comments" }).revisions ??
        []),
    ]).toEqual([3]);
  });

  it("[HISTORY-12] visit the comments on a section, and the restores that reached it", () => {
    const doc = new Y.Doc({ gc: false });
    doc.clientID = 7;
    const fragment = doc.getXmlFragment("default");
    const words: Y.XmlText[] = [];
    const rows = [
      row(
        { version: 1, actorId: "Ana", type: "document.created", body: { title: "Minutes" } },
        start,
      ),
    ];
    const add = (actorId: string, type: string, fields: Partial<TimelineRow>) =>
      rows.push(
        row({ version: rows.length + 1, actorId, type, ...fields }, start + rows.length * 1000),
      );
    const edit = (type: string, change: () => void) => {
      const updates: Uint8Array[] = [];
      const collect = (update: Uint8Array) => updates.push(update);
      doc.on("update", collect);
      doc.transact(change);
      doc.off("update", collect);
      add("Ana", type, {
        clientIds: rows.length === 1 ? [7] : [],
        update: encodeEdits(
          updates.map((update) => ({ update, time: start + rows.length * 1000 })),
        ),
      });
    };
    const addThread = (actorId: string, at: number, thread: string) => {
      const place = (assoc: number) =>
        toBase64(
          Y.encodeRelativePosition(
            Y.createRelativePositionFromTypeIndex(words[at] ?? new Y.XmlText(), 0, assoc),
          ),
        );
      add(actorId, "thread.opened", {
        subject: { kind: "thread", id: thread },
        body: { start: place(0), end: place(0), quote: "x" },
      });
      add(actorId, "comment.added", {
        subject: { kind: "comment", id: `said ${thread}` },
        body: { thread, text: "Why?" },
      });
    };
    edit("document.edited", () => {
      for (const [name, text] of [
        ["heading", "The rule"],
        ["paragraph", "We correct."],
        ["heading", "What it says"],
        ["paragraph", "Gladly."],
      ] as const) {
        const element = new Y.XmlElement(name);
        const textblock = new Y.XmlText(text);
        element.insert(0, [textblock]);
        fragment.push([element]);
        words.push(textblock);
      }
    });
    addThread("Ben", 1, "one");
    addThread("Ana", 3, "two");
    add("Ana", "comment.edited", {
      subject: { kind: "comment", id: "said one" },
      body: { text: "Why not?" },
    });
    edit("document.reverted", () => words[1]?.insert(0, "Once "));
    edit("document.reworked", () => words[3]?.insert(0, "Twice "));
    const timeline = openTimeline(rows);
    const [rule, what] = outlineAt(timeline, timeline.length - 1);
    if (!rule || !what) throw new Error("There are no sections.");
    const visited = (filter: Partial<Filter>) =>
      [...(playbackFilterOf(timeline, { ...noFilter, ...filter }).revisions ?? [])].map(
        (index) => timeline.revision(index).version,
      );
    // Opening a thread takes two events, and the thread is visible from the second on.
    expect(visited({ kind: "comments", section: rule })).toEqual([4, 7]);
    expect(visited({ kind: "comments", section: what })).toEqual([6]);
    expect(visited({ kind: "comments", section: rule, author: "Ben" })).toEqual([4]);
    expect(visited({ kind: "restores", section: rule })).toEqual([8]);
    expect(visited({ kind: "restores", section: what })).toEqual([9]);
    expect(visited({ kind: "restores", section: what, author: "Ben" })).toEqual([]);
  });

  it("[HISTORY-12] are put in words", () => {
    const section = { key: "1", title: "The rule", level: 1, from: 0, to: 2 };
    const nameOf = (userId: string) => userId;
    expect(filterWords({ ...noFilter, author: "Ana" }, nameOf)).toBe("Only Ana");
    expect(filterWords({ ...noFilter, section }, nameOf)).toBe("Only “The rule”");
    expect(filterWords({ ...noFilter, kind: "restores" }, nameOf)).toBe("Only restores");
    expect(filterWords({ author: "Ana", kind: "comments", section }, nameOf)).toBe(
      "Only Ana, comments, in “The rule”",
    );
  });
});
