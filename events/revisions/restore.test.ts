import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { compareRevisions } from "@/events/analysis/comparison/comparison";
import { cases } from "@/events/core/cases.fixture";
import { documentAt, pageAt } from "@/events/history/timeline/document-text";
import { tokensAt } from "@/events/analysis/comparison/revision-tokens";
import { richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { roleOf } from "@/events/analysis/comparison/node-roles";
import { documentSchema } from "@/events/content/schema";
import { previewOf } from "./restore-preview";
import type { RestorePreview } from "./restore";

const gesture = fc.record({
  kind: fc.nat(7),
  at: fc.nat(20),
  size: fc.nat(60),
  writer: fc.nat(2),
  word: fc.constantFrom("alpha ", "beta ", "é", ""),
});
const people = new Map([
  [3_141_592_653, "Ana"],
  [7, "Ben"],
  [2 ** 40 + 1, "Carol"],
]);
const start = Date.UTC(2026, 10, 14, 15, 42);
const acting = {
  userId: "Ben",
  clientId: 99,
  time: start + 10 ** 6,
  eventId: "00000000-0000-4000-8000-000000000099",
};

function rowsOf(edits: { client: number; update: Uint8Array }[]): TimelineRow[] {
  return stream(
    "Minutes",
    edits.map(({ client, update }, at) => [
      { update, time: start + at * 100, actorId: people.get(client) ?? "" },
    ]),
  );
}

/** Creates a paragraph into which Ana types, letter by letter at given places. */
function typing() {
  const doc = new Y.Doc();
  doc.clientID = 3_141_592_653;
  const edits: { client: number; update: Uint8Array }[] = [];
  doc.on("update", (update: Uint8Array) => edits.push({ client: doc.clientID, update }));
  const textblock = new Y.XmlText();
  const type = (at: number, text: string) =>
    doc.transact(() => {
      const fragment = doc.getXmlFragment("default");
      if (fragment.length === 0) {
        const paragraph = new Y.XmlElement("paragraph");
        paragraph.insert(0, [textblock]);
        fragment.insert(0, [paragraph]);
      }
      textblock.insert(at, text);
    });
  return { edits, type };
}

/** Returns the history as every reader sees it once a preview has been recorded. */
function recorded(
  rows: TimelineRow[],
  { type, body, update, clientIds }: RestorePreview,
): Timeline {
  return openTimeline([
    ...rows,
    row(
      { version: rows.length + 1, actorId: "Ben", type, body, update, clientIds },
      start + 10 ** 6,
    ),
  ]);
}

function textAt(timeline: Timeline): string {
  return pageAt(timeline, timeline.length - 1).text;
}

describe("restoring", () => {
  it("makes the text read as at a revision by one more event, and keeps every other [REPLAY-8]", () => {
    fc.assert(
      fc.property(
        fc.array(gesture, { minLength: 4, maxLength: 30 }).map(richEdits),
        fc.nat(),
        (edits, pick) => {
          const rows = rowsOf(edits);
          const before = openTimeline(rows);
          const index = pick % before.length;
          const preview = previewOf({ kind: "revision", timeline: before, index }, rows, acting);
          if (!preview) {
            expect(textAt(before)).toBe(pageAt(before, index).text);
            return;
          }
          const after = recorded(rows, preview);
          expect(after.anomalies).toEqual([]);
          expect(textAt(after)).toBe(pageAt(before, index).text);
          for (const at of [0, index, before.length - 1])
            expect(pageAt(after, at)).toEqual(pageAt(before, at));
          expect(textAt(preview.timeline)).toBe(textAt(after));
        },
      ),
      { numRuns: cases(80) },
    );
  });

  it("removes a word that was written inside an equal one [ACT-5]", () => {
    const { edits, type } = typing();
    type(0, "beta 9 ");
    type(2, "beta 13 ");
    type(2, "beta 14 ");
    const rows = rowsOf(edits);
    const timeline = openTimeline(rows);
    const index = timeline.length - 2;
    const [change] = compareRevisions(timeline, index, timeline.length - 1, roleOf).changes;
    if (!change) throw new Error("nothing was written");
    const preview = previewOf({ kind: "passage", timeline, index, change }, rows, acting);
    if (!preview) throw new Error("nothing would be taken back");
    expect(textAt(recorded(rows, preview))).toBe(pageAt(timeline, index).text);
    expect(pageAt(timeline, index).text).toContain("bebeta 13 ta 9");
  });

  it(
    "reverts one passage and keeps the rest, and gives a valid " +
      "event after later edits [ACT-5]",
    () => {
      let [several, alone] = [0, 0];
      fc.assert(
        fc.property(
          fc
            .array(gesture, { minLength: 6, maxLength: 30 })
            .map((all) =>
              richEdits(all.map((each, at) => ({ ...each, word: `${each.word}${at} ` }))),
            ),
          fc.nat(),
          fc.nat(),
          fc.nat(),
          (edits, one, pick, late) => {
            const all = rowsOf(edits);
            const rows = all.slice(0, all.length - (late % 4));
            const timeline = openTimeline(rows);
            const [from, to] = [one % timeline.length, timeline.length - 1];
            const { changes } = compareRevisions(timeline, from, to, roleOf);
            const change = changes[pick % Math.max(1, changes.length)];
            if (!change) return;
            const preview = previewOf(
              { kind: "passage", timeline, index: from, change },
              rows,
              acting,
            );
            if (!preview) return;
            const after = recorded(rows, preview);
            expect(after.anomalies).toEqual([]);
            if (changes.length === 1) {
              alone += 1;
              expect(textAt(after)).toBe(pageAt(timeline, from).text);
            } else several += 1;
            // Standing text outside the passage must still stand.
            const covered = new Set(
              change.units.flatMap(([low, high]) =>
                Array.from({ length: high - low + 1 }, (_, at) => low + at),
              ),
            );
            const standing = tokensAt(timeline.blocks, {
              at: to,
              other: from,
              authorOf: timeline.authorOf,
              roleOf,
            }).flatMap(({ stretches }) =>
              stretches.flatMap(({ text, unit }) =>
                [...text].map((letter, at) => (covered.has(unit + at) ? "" : letter)),
              ),
            );
            const left = [...textAt(after)];
            for (const letter of standing.filter((each) => each.trim() !== "")) {
              const at = left.indexOf(letter);
              expect(at).toBeGreaterThanOrEqual(0);
              left.splice(0, at + 1);
            }
            // With later edits in the log, the same restore request must still give a valid event.
            const later = previewOf(
              { kind: "passage", timeline, index: from, change },
              all,
              acting,
            );
            if (later) expect(recorded(all, later).anomalies).toEqual([]);
          },
        ),
        { numRuns: cases(100) },
      );
      expect(several).toBeGreaterThan(cases(15));
      expect(alone).toBeGreaterThan(cases(5));
    },
  );

  it("reverts a conversion or a split of a block as a whole [ACT-5]", () => {
    const doc = new Y.Doc({ gc: false });
    const edits: { client: number; update: Uint8Array }[] = [];
    doc.on("update", (update: Uint8Array) => edits.push({ client: doc.clientID, update }));
    const root = doc.getXmlFragment("default");
    const block = (name: string, words: string) => {
      const element = new Y.XmlElement(name);
      const text = new Y.XmlText();
      text.insert(0, words);
      element.insert(0, [text]);
      return element;
    };
    const textIn = (index: number) => {
      const element = root.get(index);
      const text = element instanceof Y.XmlElement ? element.get(0) : null;
      if (!(text instanceof Y.XmlText)) throw new Error(`Block ${index} holds no text.`);
      return text;
    };
    doc.clientID = 3_141_592_653;
    doc.transact(() =>
      root.insert(0, [
        block("paragraph", "One rule is here."),
        block("paragraph", "Another rule follows."),
        block("paragraph", "And a third one."),
      ]),
    );
    doc.clientID = 7;
    doc.transact(() => {
      root.delete(0, 1);
      root.insert(0, [block("heading", "One rule is here.")]);
    });
    doc.transact(() => {
      textIn(1).delete(8, 13);
      root.insert(2, [block("paragraph", "rule follows.")]);
    });
    const rows = rowsOf(edits);
    const timeline = openTimeline(rows);
    const { changes } = compareRevisions(timeline, 1, timeline.length - 1, roleOf);
    expect(changes.map(({ changeKind }) => changeKind)).toEqual(["retyped", "split"]);
    const [retyped, split] = changes.map((change) =>
      previewOf({ kind: "passage", timeline, index: 1, change }, rows, acting),
    );
    expect(
      retyped &&
        pageAt(retyped.timeline, retyped.timeline.length - 1).doc.content?.map(({ type }) => type),
    ).toEqual(["paragraph", "paragraph", "paragraph", "paragraph"]);
    expect(retyped && textAt(retyped.timeline)).toBe(
      "One rule is here.\nAnother \nrule follows.\nAnd a third one.",
    );
    expect(split && textAt(split.timeline)).toBe(
      "One rule is here.\nAnother rule follows.\nAnd a third one.",
    );
    expect(split && pageAt(split.timeline, split.timeline.length - 1).doc.content?.[0]?.type).toBe(
      "heading",
    );
  });

  it("leaves a document that is valid for the editor [ACT-6]", () => {
    const doc = new Y.Doc({ gc: false });
    const edits: { client: number; update: Uint8Array }[] = [];
    doc.on("update", (update: Uint8Array) => edits.push({ client: doc.clientID, update }));
    const root = doc.getXmlFragment("default");
    const item = (words: string) => {
      const element = new Y.XmlElement("listItem");
      const paragraph = new Y.XmlElement("paragraph");
      const text = new Y.XmlText();
      text.insert(0, words);
      paragraph.insert(0, [text]);
      element.insert(0, [paragraph]);
      return element;
    };
    const list = new Y.XmlElement("bulletList");
    doc.clientID = 3_141_592_653;
    doc.transact(() => root.insert(0, [list]));
    doc.clientID = 7;
    doc.transact(() => list.insert(0, [item("by ben")]));
    doc.clientID = 3_141_592_653;
    doc.transact(() => list.insert(1, [item("by ana")]));
    const rows = rowsOf(edits);
    const timeline = openTimeline(rows);
    const restoreRequest = {
      kind: "author",
      timeline,
      author: "Ben",
      from: 0,
      to: timeline.length - 1,
    } as const;
    const first = previewOf(restoreRequest, rows, { ...acting, clientId: 100 });
    const after = first && recorded(rows, first);
    expect(after && textAt(after)).toBe("by ana");
    const all = after && previewOf({ kind: "revision", timeline, index: 1 }, rows, acting);
    // At that revision the list had no item yet, which no editor can show.
    const shown = all && documentAt(recorded(rows, all).blocks, recorded(rows, all).length - 1);
    expect(() => shown && documentSchema.nodeFromJSON(shown).check()).not.toThrow();
  });

  it("reverts one event of a person [ACT-3]", () => {
    const rows = rowsOf(
      richEdits([
        { kind: 0, at: 0, size: 1, writer: 0, word: "ana wrote this" },
        { kind: 1, at: 0, size: 14, writer: 1, word: " and ben that" },
        { kind: 1, at: 0, size: 27, writer: 2, word: ", carol too" },
      ]),
    );
    const preview = previewOf({ kind: "events", from: 3, to: 3, actorId: "Ben" }, rows, acting);
    if (!preview) throw new Error("There is nothing to take back.");
    expect(preview).toMatchObject({
      type: "document.reworked",
      body: { kind: "author", author: "Ben", from: 3, to: 3, quote: null },
    });
    const after = recorded(rows, preview);
    expect(pageAt(after, after.length - 1)).toMatchObject({ text: "ana wrote this, carol too" });
    expect(
      compareRevisions(preview.timeline, preview.now, preview.timeline.length - 1, roleOf).words,
    ).toEqual({ in: 0, out: 3 });
  });

  it("quotes a long passage without splitting a surrogate pair [ACT-5]", () => {
    const doc = new Y.Doc();
    const edits: { client: number; update: Uint8Array }[] = [];
    doc.on("update", (update: Uint8Array) => edits.push({ client: 7, update }));
    doc.clientID = 7;
    for (const words of ["Before.", `a${"\u{1d11e}".repeat(400)}`]) {
      const element = new Y.XmlElement("paragraph");
      element.insert(0, [new Y.XmlText(words)]);
      doc.transact(() => doc.getXmlFragment("default").push([element]));
    }
    const rows = rowsOf(edits);
    const timeline = openTimeline(rows);
    const [change] = compareRevisions(timeline, 1, timeline.length - 1, roleOf).changes;
    const preview =
      change && previewOf({ kind: "passage", timeline, index: 1, change }, rows, acting);
    expect(preview?.body).toMatchObject({ quote: `a${"\u{1d11e}".repeat(299)}` });
  });
});
