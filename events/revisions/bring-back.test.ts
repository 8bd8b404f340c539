import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { searchThroughTime } from "@/events/analysis/deleted-text-search";
import { deletedPassageOf } from "@/events/analysis/deleted-passage";
import { documentAt } from "@/events/history/timeline/document-text";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { previewOf } from "./restore-preview";

const start = Date.UTC(2026, 10, 14, 15, 42);
const hour = 3_600_000;
const acting = {
  userId: "Carol",
  clientId: 99,
  time: start + 9 * hour,
  eventId: "00000000-0000-4000-8000-000000000099",
};

type Words = { insert: string; attributes?: Record<string, unknown> }[];

/**
 * Returns a history in which Ana writes blocks and Ben changes them. Each step is an hour after the
 * previous one unless it follows at once.
 */
function written(
  blocks: [name: string, words: Words][],
  ...steps: { at?: number; act: (root: Y.XmlFragment) => void }[]
): TimelineRow[] {
  const doc = new Y.Doc({ gc: false });
  const edits: { update: Uint8Array; actorId: string; time: number }[] = [];
  let time = start;
  doc.on("update", (update: Uint8Array) =>
    edits.push({ update, actorId: edits.length === 0 ? "Ana" : "Ben", time }),
  );
  const root = doc.getXmlFragment("default");
  doc.transact(() => {
    for (const [name, words] of blocks) {
      const [element, text] = [new Y.XmlElement(name), new Y.XmlText()];
      root.push([element]);
      element.insert(0, [text]);
      if (name === "heading") element.setAttribute("level", 2 as unknown as string);
      text.applyDelta(words);
    }
  });
  doc.clientID += 1;
  for (const { at = hour, act } of steps) {
    time += at;
    doc.transact(() => act(root));
  }
  return stream(
    "Minutes",
    edits.map((edit) => [edit]),
  );
}

/** Returns the text's blocks after a search result has been brought back. */
function broughtBack(rows: TimelineRow[], words: string) {
  const timeline = openTimeline(rows);
  expect(timeline.anomalies).toEqual([]);
  const [found] = searchThroughTime(timeline, words);
  const deleted = found && deletedPassageOf(timeline, found);
  if (!deleted) throw new Error(`“${words}” is not gone.`);
  const preview = previewOf(
    { kind: "words", timeline, index: deleted.at, range: deleted.range },
    rows,
    acting,
  );
  if (!preview) throw new Error("Nothing came back.");
  const { type, body, update, clientIds } = preview;
  const after = openTimeline([
    ...rows,
    row({ version: rows.length + 1, actorId: "Carol", type, body, update, clientIds }, acting.time),
  ]);
  expect(after.anomalies).toEqual([]);
  return documentAt(after.blocks, after.length - 1).content;
}

const contentAt = (rows: TimelineRow[], at: number) => {
  const timeline = openTimeline(rows);
  return documentAt(timeline.blocks, at).content;
};

describe("restoring lost words", () => {
  it("restores all that was deleted with them, with its blocks and marks [UNDERSTAND-9]", () => {
    const rows = written(
      [
        ["paragraph", [{ insert: "It stays." }]],
        ["heading", [{ insert: "The rule" }]],
        [
          "paragraph",
          [
            { insert: "We correct " },
            { insert: "promptly", attributes: { bold: {} } },
            { insert: " and openly.", attributes: { link: { href: "https://example.com/" } } },
          ],
        ],
        ["paragraph", [{ insert: "And in the open." }]],
        ["paragraph", [{ insert: "The end." }]],
      ],
      { act: (root) => root.delete(1, 3) },
    );
    expect(contentAt(rows, 2)).toHaveLength(2);
    expect(broughtBack(rows, "PROMPT")).toEqual(contentAt(rows, 1));
  });

  it("marks nothing else, and keeps what was written beside them since [UNDERSTAND-9]", () => {
    const text = (root: Y.XmlFragment, index: number) => {
      const block = root.get(index);
      const textblock = block instanceof Y.XmlElement ? block.get(0) : null;
      if (!(textblock instanceof Y.XmlText)) throw new Error("There is no such line.");
      return textblock;
    };
    const rows = written(
      [
        [
          "paragraph",
          [
            { insert: "A " },
            { insert: "plain", attributes: { bold: {} } },
            { insert: " word here." },
          ],
        ],
        ["paragraph", [{ insert: "The end." }]],
      ],
      { act: (root) => text(root, 0).delete(2, 6) },
      { act: (root) => text(root, 1).insert(8, " Indeed.") },
    );
    expect(
      broughtBack(rows, "plain")?.map(({ content }) =>
        content?.map(({ text: words, marks = [] }) => [words, marks.map(({ type }) => type)]),
      ),
    ).toEqual([
      [
        ["A ", []],
        ["plain", ["bold"]],
        [" word here.", []],
      ],
      [["The end. Indeed.", []]],
    ]);
  });

  it("puts words back into the heading that their paragraph became [UNDERSTAND-9] [UNDERSTAND-17]", () => {
    const retyped = (root: Y.XmlFragment) => {
      root.delete(0, 1);
      const [element, textblock] = [
        new Y.XmlElement("heading"),
        new Y.XmlText("We correct promptly."),
      ];
      root.insert(0, [element]);
      element.insert(0, [textblock]);
    };
    const rows = written(
      [["paragraph", [{ insert: "We correct promptly." }]]],
      { act: retyped },
      {
        act: (root) => {
          const block = root.get(0);
          const textblock = block instanceof Y.XmlElement ? block.get(0) : null;
          if (textblock instanceof Y.XmlText) textblock.delete(10, 9);
        },
      },
    );
    const back = broughtBack(rows, "promptly");
    expect(
      back?.map(({ type, content }) => [type, content?.map(({ text: words }) => words).join("")]),
    ).toEqual([["heading", "We correct promptly."]]);
  });
});
