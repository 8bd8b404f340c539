import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { stream } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { groupChangeAt, groupChangesBefore } from "./group-change";
import { timelineOfSteps } from "./analysis.fixture";

describe("the change of a group", () => {
  const timeline = timelineOfSteps(
    { who: "Ana", kind: 0, word: "We correct promptly and in the open." },
    { who: "Ben", kind: 2, at: 0, size: 11, after: 5000 },
    { who: "Ben", kind: 1, at: 0, size: 11, word: "gladly" },
    { who: "Ana", kind: 1, at: 0, size: 0, word: "Note: ", after: 90_000 },
  );

  it("[HISTORY-10] counts added and removed words, and shows them in place", () => {
    const { wordsIn, wordsOut, excerpt, from, to } = groupChangeAt(timeline, 2);
    expect([from, to]).toEqual([2, 3]);
    expect([wordsIn, wordsOut]).toEqual([1, 1]);
    expect(excerpt.map(({ state }) => state)).toContain("gone");
    expect(
      excerpt
        .filter(({ state }) => state !== "gone")
        .map(({ text }) => text)
        .join(""),
    ).toContain("gladly");
  });

  it("[HISTORY-10] is equal for every revision of the group, and empty for an event without writing", () => {
    expect(groupChangeAt(timeline, 3)).toEqual(groupChangeAt(timeline, 2));
    expect(groupChangeAt(timeline, 0)).toMatchObject({ wordsIn: 0, wordsOut: 0, excerpt: [] });
  });

  it("[HISTORY-31] lists the groups of a session backwards, each once", () => {
    const spans = (at: number, most = 6) =>
      groupChangesBefore(timeline, at, most).map(({ from, to, block }) => [from, to, block]);
    const last = timeline.length - 1;
    const all = spans(last);
    expect(all[0]?.[1]).toBe(last);
    expect(all.map(([, to]) => to)).toEqual(
      all.map(([, to]) => to).toSorted((a, b) => Number(b) - Number(a)),
    );
    expect(all.every(([, , block]) => block === 0)).toBe(true);
    expect(spans(last, 1)).toEqual(all.slice(0, 1));
    // A burst that continues is reported up to the displayed revision.
    expect(spans(2)[0]).toEqual([2, 2, 0]);
  });

  it("[HISTORY-10] keeps the words of two list items apart", () => {
    const doc = new Y.Doc({ gc: false });
    const updates: Uint8Array[] = [];
    doc.on("update", (update: Uint8Array) => updates.push(update));
    const made = (name: string, ...children: (Y.XmlElement | Y.XmlText)[]) => {
      const element = new Y.XmlElement(name);
      element.insert(0, children);
      return element;
    };
    const item = (words: string) => made("listItem", made("paragraph", new Y.XmlText(words)));
    doc
      .getXmlFragment("default")
      .insert(0, [made("bulletList", item("in both."), item("Press it"))]);
    const list = openTimeline(
      stream("Minutes", [
        updates.map((update) => ({ update, time: Date.UTC(2026, 10, 14), actorId: "Ana" })),
      ]),
    );
    const { wordsIn, excerpt } = groupChangeAt(list, list.length - 1);
    expect([wordsIn, excerpt.map(({ text }) => text).join("")]).toEqual([4, "in both. Press it"]);
  });

  it("[HISTORY-10] is cut to fit a card", () => {
    const long = timelineOfSteps({ who: "Ana", kind: 0, word: "word ".repeat(200) });
    const { excerpt, wordsIn } = groupChangeAt(long, 1);
    expect(wordsIn).toBe(200);
    expect(excerpt.map(({ text }) => text).join("").length).toBeLessThan(260);
  });
});
