import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { markingsOf } from "./passage-marks";
import { stream } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";

describe("the marks of a passage", () => {
  it("list each change with its revision and words, and none for marks that words came with [UNDERSTAND-16]", () => {
    const doc = new Y.Doc({ gc: false });
    const updates: Uint8Array[] = [];
    doc.on("update", (update: Uint8Array) => updates.push(update));
    const textblock = new Y.XmlText();
    doc.transact(() => {
      const block = new Y.XmlElement("paragraph");
      block.insert(0, [textblock]);
      doc.getXmlFragment("default").insert(0, [block]);
      textblock.insert(0, "We correct promptly.");
    });
    doc.transact(() => textblock.format(3, 7, { bold: {} }));
    doc.transact(() => textblock.insert(10, "ly", { bold: {} }));
    doc.transact(() => textblock.format(3, 9, { bold: null, italic: {} }));
    const timeline = openTimeline(
      stream(
        "Minutes",
        updates.map((update, at) => [{ update, time: at * 1000, actorId: "Ana" }]),
      ),
    );
    const all = { start: { textblock: 0, offset: 0 }, end: { textblock: 0, offset: 21 } };
    expect(
      markingsOf(timeline, all).map(({ revision, worn, shed, text }) => ({
        revision,
        worn,
        shed,
        text,
      })),
    ).toEqual([
      { revision: 2, worn: ["bold"], shed: [], text: "correct" },
      { revision: 4, worn: ["italic"], shed: ["bold"], text: "correctly" },
    ]);
    expect(
      markingsOf(timeline, {
        start: { textblock: 0, offset: 0 },
        end: { textblock: 0, offset: 1 },
      }),
    ).toEqual([]);
  });
});
