import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { compareRevisions } from "@/events/analysis/comparison/comparison";
import { cases } from "@/events/core/cases.fixture";
import { documentAt, pageAt } from "@/events/history/timeline/document-text";
import type { PassageRange } from "@/events/analysis/passage";
import { passageAt } from "@/events/analysis/returning-passage";
import { richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import { scriptOf, standsAt, textAt } from "@/events/history/timeline/script";
import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { documentSchema } from "@/events/content/schema";
import { roleOf } from "@/events/analysis/comparison/node-roles";
import { previewOf } from "./restore-preview";
import type { RestorePreview } from "./restore";

const start = Date.UTC(2026, 10, 14, 15, 42);
const people = new Map([
  [3_141_592_653, "Ana"],
  [7, "Ben"],
  [2 ** 40 + 1, "Carol"],
]);
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

/** Creates a document of paragraphs with changes, each step as one edit. */
function written(
  paragraphs: string[],
  ...steps: ((root: Y.XmlFragment, textblock: (index: number) => Y.XmlText) => void)[]
): TimelineRow[] {
  const doc = new Y.Doc({ gc: false });
  const edits: { client: number; update: Uint8Array }[] = [];
  doc.on("update", (update: Uint8Array) => edits.push({ client: doc.clientID, update }));
  const root = doc.getXmlFragment("default");
  const textblock = (index: number) => {
    const block = root.get(index);
    const text = block instanceof Y.XmlElement ? block.get(0) : null;
    if (!(text instanceof Y.XmlText)) throw new Error(`Block ${index} holds no text.`);
    return text;
  };
  const begin = () =>
    root.insert(
      0,
      paragraphs.map((words) => {
        const element = new Y.XmlElement("paragraph");
        element.insert(0, [new Y.XmlText(words)]);
        return element;
      }),
    );
  for (const [index, step] of [begin, ...steps].entries()) {
    doc.clientID = index === 0 ? 3_141_592_653 : 7;
    doc.transact(() => step(root, textblock));
  }
  return rowsOf(edits);
}

/** Returns the range of words at a revision. */
function placeOf(timeline: Timeline, at: number, first: string, last = first): PassageRange {
  const find = (words: string, end: boolean) => {
    for (const [index, textblock] of scriptOf(timeline).textblocks.entries()) {
      const found = textAt(textblock, at).indexOf(words);
      if (found < 0) continue;
      let left = found + (end ? words.length - 1 : 0);
      for (let offset = 0; offset < textblock.text.length; offset += 1)
        if (standsAt(textblock, offset, at) && left-- === 0) return { textblock: index, offset };
    }
    throw new Error(`“${words}” did not stand then.`);
  };
  return { start: find(first, false), end: find(last, true) };
}

function back(rows: TimelineRow[], at: number, first: string, last = first) {
  const timeline = openTimeline(rows);
  const preview = previewOf(
    { kind: "words", timeline, index: at, range: placeOf(timeline, at, first, last) },
    rows,
    acting,
  );
  const after = preview && recorded(rows, preview);
  expect(after?.anomalies ?? []).toEqual([]);
  return {
    preview,
    text: after && pageAt(after, after.length - 1).text,
    doc: after && documentAt(after.blocks, after.length - 1),
  };
}

describe("restoring chosen words", () => {
  it("replaces what was written in their place, and keeps the rest [ACT-11]", () => {
    const rows = written(
      ["We correct promptly and quietly."],
      (_, textblock) => {
        textblock(0).delete(11, 8);
        textblock(0).insert(11, "openly");
      },
      (_, textblock) => textblock(0).insert(textblock(0).length, " Always."),
    );
    expect(back(rows, 1, "promptly").text).toBe("We correct promptly and quietly. Always.");
    const { preview } = back(rows, 1, "correct promptly");
    expect(preview).toMatchObject({
      type: "document.reworked",
      body: { kind: "passage", author: null, from: null, to: 2, quote: "correct promptly" },
    });
    expect(
      preview &&
        compareRevisions(preview.timeline, preview.now, preview.timeline.length - 1, roleOf).words,
    ).toEqual({ in: 1, out: 1 });
    expect(back(rows, 1, "quietly").preview).toBeNull();
  });

  it("restores part of a deletion, and removes what was inserted between its words [ACT-11]", () => {
    const gone = written(["One two three four."], (_, textblock) => textblock(0).delete(3, 10));
    expect(back(gone, 1, "two").text).toBe("Onetwo four.");
    const widened = written(["One two three."], (_, textblock) =>
      textblock(0).insert(4, "and then "),
    );
    expect(back(widened, 1, "One two").text).toBe("One two three.");
    expect(back(widened, 1, "two three").preview).toBeNull();
  });

  it("restores the deleted paragraph, and no other [ACT-11]", () => {
    const rows = written(["The first.", "The second one.", "The third.", "The last."], (root) =>
      root.delete(1, 2),
    );
    expect(back(rows, 1, "second").text).toBe("The first.\nsecond\nThe last.");
    expect(back(rows, 1, "first.", "The third").text).toBe(
      "The first.\nThe second one.\nThe third\nThe last.",
    );
  });

  it("restores words with their marks, and marks nothing else [ACT-11]", () => {
    const rows = written(
      ["A plain word here."],
      (_, textblock) => textblock(0).format(2, 5, { bold: {} }),
      (_, textblock) => textblock(0).delete(2, 6),
    );
    const { text, doc } = back(rows, 2, "plain word");
    expect(text).toBe("A plain word here.");
    const runs = doc?.content?.[0]?.content?.map(({ text: words, marks }) => [
      words,
      (marks ?? []).map(({ type }) => type),
    ]);
    expect(runs).toEqual([
      ["A ", []],
      ["plain", ["bold"]],
      [" word here.", []],
    ]);
  });

  it("reads as chosen in any history, keeps everything around it, and stays valid for the editor [ACT-11]", () => {
    const gesture = fc.record({
      kind: fc.constantFrom(0, 1, 1, 1, 2, 2, 4, 6, 7),
      at: fc.nat(20),
      size: fc.nat(60),
      writer: fc.nat(2),
      word: fc.constantFrom("alpha", "beta", "gamma", "delta"),
    });
    let [returned, unchanged] = [0, 0];
    fc.assert(
      fc.property(
        fc
          .array(gesture, { minLength: 5, maxLength: 30 })
          .map((all) =>
            richEdits(all.map((each, at) => ({ ...each, word: `${each.word}${at} ` }))),
          ),
        fc.nat(),
        fc.nat(),
        fc.nat(9),
        (edits, pick, where, size) => {
          const rows = rowsOf(edits);
          const timeline = openTimeline(rows);
          const index = pick % timeline.length;
          const { textblocks } = scriptOf(timeline);
          const stood = textblocks.flatMap((textblock, at) =>
            [...textblock.born.keys()]
              .filter((offset) => standsAt(textblock, offset, index))
              .map((offset) => ({ textblock: at, offset })),
          );
          const first = where % Math.max(1, stood.length);
          const [from, to] = [stood[first], stood[Math.min(stood.length - 1, first + size)]];
          if (!from || !to || from.textblock !== to.textblock) return;
          const range = { start: from, end: to };
          const preview = previewOf({ kind: "words", timeline, index, range }, rows, acting);
          const words = passageAt(timeline, index, range);
          const after = preview ? recorded(rows, preview) : timeline;
          expect(pageAt(after, after.length - 1).text).toContain(words);
          if (!preview) return void (unchanged += 1);
          returned += 1;
          expect(after.anomalies).toEqual([]);
          // Text that stood then and still stands replaces no text.
          const lasting = textblocks.flatMap((textblock) =>
            [...textblock.text].filter(
              (_, offset) =>
                standsAt(textblock, offset, index) &&
                standsAt(textblock, offset, timeline.length - 1),
            ),
          );
          let left = pageAt(after, after.length - 1).text;
          for (const letter of lasting) {
            const at = left.indexOf(letter);
            expect(at).toBeGreaterThanOrEqual(0);
            left = left.slice(at + 1);
          }
          expect(() =>
            documentSchema.nodeFromJSON(documentAt(after.blocks, after.length - 1)).check(),
          ).not.toThrow();
        },
      ),
      { numRuns: cases(100) },
    );
    expect(returned).toBeGreaterThan(cases(20));
    expect(unchanged).toBeGreaterThan(cases(5));
  });
});
