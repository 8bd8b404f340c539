import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { stream } from "@/events/history/timeline/rows.fixture";
import type { Place } from "@/events/history/timeline/script";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { whereIs } from "./anchor";
import { anchorOf, liveText } from "./live-anchor";
import { pastText } from "./past-anchor";

/** Copies without any copied character. */
const noCopies = { originOf: (place: Place) => place, touches: () => false };

function paragraph(text: string): Y.XmlElement {
  const element = new Y.XmlElement("paragraph");
  element.insert(0, [new Y.XmlText(text)]);
  return element;
}

/**
 * Creates two paragraphs with a comment on the first "London". Returns the outcome of its words
 * after some edits.
 */
function history() {
  const doc = new Y.Doc();
  doc.clientID = 1;
  const root = doc.getXmlFragment("default");
  const edits: { update: Uint8Array; time: number; actorId: string }[] = [];
  let actorId = "Ana";
  doc.on("update", (update: Uint8Array) =>
    edits.push({ update, time: 1_000 * edits.length, actorId }),
  );
  root.insert(0, [paragraph("We met in London."), paragraph("The London office.")]);
  const anchor = anchorOf(
    liveText(root),
    { textblock: 0, offset: 10 },
    { textblock: 0, offset: 16 },
    100,
  );
  if (!anchor) throw new Error("There are no words.");
  return {
    undo: new Y.UndoManager(root, { captureTimeout: 0 }),
    textblock(index: number): Y.XmlText {
      const element = root.get(index);
      const text = element instanceof Y.XmlElement ? element.get(0) : null;
      if (!(text instanceof Y.XmlText)) throw new Error(`There is no line ${index}.`);
      return text;
    },
    by(name: string) {
      actorId = name;
    },
    where(): string {
      const timeline = openTimeline(
        stream(
          "Minutes",
          edits.map((edit) => [edit]),
        ),
      );
      const text = pastText(timeline, noCopies, timeline.length - 1);
      const where = whereIs(anchor, text);
      return where.state === "gone"
        ? "gone"
        : `${where.state}: ${text.letters.between({ ...where.from, offset: 0 }, where.to)}`;
    },
  };
}

describe("deleted words", () => {
  it("[COMMENT-5] stay gone while equal words stand or are typed elsewhere", () => {
    const { textblock, where } = history();
    textblock(0).delete(10, 6);
    expect(where()).toBe("gone");
    for (const [at, letter] of [..." London"].entries()) textblock(1).insert(18 + at, letter);
    expect(where()).toBe("gone");
  });

  it("[COMMENT-5] are found where the person who cut them pastes them, and not where another person does", () => {
    const pasted = (name: string) => {
      const { textblock, by, where } = history();
      textblock(0).delete(10, 6);
      by(name);
      textblock(1).insert(18, "London");
      return where();
    };
    expect(pasted("Ana")).toBe("found: The London office.London");
    expect(pasted("Ben")).toBe("gone");
  });

  it("[COMMENT-5] come back in place when undone or retyped", () => {
    const { textblock, undo, where } = history();
    textblock(0).delete(10, 6);
    undo.undo();
    expect(where()).toBe("found: We met in London");
    textblock(0).delete(10, 6);
    for (const [at, letter] of [..."London"].entries()) textblock(0).insert(10 + at, letter);
    expect(where()).toBe("found: We met in London");
  });

  it("[COMMENT-5] are not confused with equal words that were deleted and came back", () => {
    const { textblock, undo, where } = history();
    textblock(0).delete(10, 6);
    textblock(1).delete(4, 6);
    undo.undo();
    expect(textblock(1).toString()).toBe("The London office.");
    expect(where()).toBe("gone");
  });
});
