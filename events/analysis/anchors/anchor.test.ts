import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { whereIs } from "./anchor";
import type { Anchor } from "./anchor";
import { AnchorMemory } from "./anchor-memory";
import { anchorOf, liveText } from "./live-anchor";

function paragraph(text: string): Y.XmlElement {
  const element = new Y.XmlElement("paragraph");
  element.insert(0, [new Y.XmlText(text)]);
  return element;
}

/** Creates a document with these paragraphs. Also returns the first text of each paragraph. */
function written(...paragraphs: string[]) {
  const doc = new Y.Doc();
  const root = doc.getXmlFragment("default");
  root.insert(0, paragraphs.map(paragraph));
  const textblock = (index: number): Y.XmlText => {
    const element = root.get(index);
    const text = element instanceof Y.XmlElement ? element.get(0) : null;
    if (!(text instanceof Y.XmlText)) throw new Error(`no line ${index}`);
    return text;
  };
  return { doc, root, textblock };
}

function anchored(root: Y.XmlFragment, textblock: number, offset: number, length: number): Anchor {
  const anchor = anchorOf(
    liveText(root),
    { textblock, offset },
    { textblock, offset: offset + length },
    1_000,
  );
  if (anchor === null) throw new Error("no words");
  return anchor;
}

/** Creates the memory of a page that opened with this document and has not queried the history. */
function openedWith(doc: Y.Doc | null): AnchorMemory {
  return new AnchorMemory(Y.decodeStateVector(Y.encodeStateVector(doc ?? new Y.Doc())));
}

function anchoredText(
  root: Y.XmlFragment,
  anchor: Anchor,
  memory: AnchorMemory | null = null,
): string {
  const text = liveText(root, memory);
  const where = whereIs(anchor, text);
  return where.state === "gone"
    ? `gone${where.at ? ` from ${where.at.textblock}:${where.at.offset}` : ""}`
    : `${where.state}: ${text.letters.between(where.from, where.to)}`;
}

describe("an anchor", () => {
  it("[COMMENT-5] keeps to its words while others write before, after and inside them", () => {
    const { root, textblock } = written("the quick brown fox jumps");
    const anchor = anchored(root, 0, 4, 11);
    expect(anchor.quote).toBe("quick brown");
    textblock(0).insert(0, "Look: ");
    textblock(0).insert(21, "ish");
    textblock(0).insert(16, "dark ");
    expect(anchoredText(root, anchor)).toBe("standing: quick dark brown");
  });

  it("[COMMENT-5] trims the space around its words, and is null for space alone", () => {
    const { root } = written("the quick", "", " ", "fox");
    expect(
      anchorOf(liveText(root), { textblock: 0, offset: 3 }, { textblock: 3, offset: 1 }, 1_000)
        ?.quote,
    ).toBe("quick\n\n \nf");
    expect(
      anchorOf(liveText(root), { textblock: 0, offset: 9 }, { textblock: 3, offset: 0 }, 1_000),
    ).toBeNull();
    expect(anchored(root, 0, 3, 2).quote).toBe("q");
  });

  it("[COMMENT-5] reads the text once for any number of anchors", () => {
    const { root } = written("the quick", "brown fox", "jumps");
    let walks = 0;
    const first = root._start;
    Object.defineProperty(root, "_start", { get: () => ((walks += 1), first) });
    const text = liveText(root);
    const quotes = [0, 1, 2].map(
      (textblock) =>
        anchorOf(text, { textblock, offset: 0 }, { textblock, offset: 5 }, 1_000)?.quote,
    );
    expect([quotes, walks]).toEqual([["the q", "brown", "jumps"], 1]);
  });

  it("[COMMENT-5] shrinks to the words that remain, and keeps their place once none does", () => {
    const { root, textblock } = written("the quick brown fox jumps");
    const anchor = anchored(root, 0, 4, 11);
    textblock(0).delete(4, 6);
    expect(anchoredText(root, anchor)).toBe("standing: brown");
    textblock(0).delete(4, 5);
    expect(anchoredText(root, anchor)).toBe("gone from 0:4");
    root.delete(0, 1);
    expect(anchoredText(root, anchor)).toBe("gone");
  });

  it("[COMMENT-5] comes back with its words after some or all of them were deleted", () => {
    const { doc, root, textblock } = written("the quick brown fox jumps");
    const anchor = anchored(root, 0, 4, 11);
    const memory = openedWith(doc);
    const undo = new Y.UndoManager(root, { captureTimeout: 0 });
    textblock(0).delete(4, 6);
    undo.undo();
    expect(anchoredText(root, anchor, memory)).toBe("found: quick brown");
    textblock(0).delete(0, 20);
    expect(anchoredText(root, anchor, memory)).toBe("gone from 0:0");
    undo.undo();
    expect(anchoredText(root, anchor, memory)).toBe("found: quick brown");
    const elsewhere = new Y.Doc();
    Y.applyUpdate(elsewhere, Y.encodeStateAsUpdate(doc));
    expect(anchoredText(elsewhere.getXmlFragment("default"), anchor, memory)).toBe(
      "found: quick brown",
    );
  });

  it("[COMMENT-5] finds its words split over two paragraphs, moved, and made a heading", () => {
    const { doc, root, textblock } = written("one two three four", "five");
    const anchor = anchored(root, 0, 4, 9);
    const memory = openedWith(doc);
    textblock(0).delete(7, 11);
    root.insert(1, [paragraph("three four")]);
    expect(anchoredText(root, anchor, memory)).toBe("found: two\nthree");
    root.delete(0, 2);
    const heading = new Y.XmlElement("heading");
    heading.insert(0, [new Y.XmlText("one two three four")]);
    root.insert(1, [heading]);
    expect(anchoredText(root, anchor, memory)).toBe("found: two three");
  });

  it("[COMMENT-5] is gone with its words, even where equal words stand elsewhere", () => {
    const { doc, root, textblock } = written(
      "We met in London last week.",
      "The London office moved. London, London.",
    );
    const first = anchored(root, 0, 10, 6);
    const second = anchored(root, 1, 25, 6);
    const memory = openedWith(doc);
    textblock(0).delete(10, 7);
    expect(anchoredText(root, first)).toBe("gone from 0:10");
    expect(anchoredText(root, first, memory)).toBe("gone from 0:10");
    textblock(1).delete(25, 8);
    // The third occurrence stands exactly where the second one stood.
    expect(anchoredText(root, second, memory)).toBe("gone from 1:25");
    root.delete(0, 1);
    expect(anchoredText(root, first, memory)).toBe("gone");
  });

  it("[COMMENT-5] does not grow into adjacent letters equal to those it lost", () => {
    const { doc, root, textblock } = written("banana");
    const anchor = anchored(root, 0, 1, 3);
    const memory = openedWith(doc);
    expect(anchor.quote).toBe("ana");
    textblock(0).delete(2, 2);
    expect(textblock(0).toString()).toBe("bana");
    expect(anchoredText(root, anchor, memory)).toBe("standing: a");
  });

  it("[COMMENT-5] stays in its own textblocks after the first of them is deleted", () => {
    const { root } = written("the", "see the", "end of it");
    const anchor = anchorOf(
      liveText(root),
      { textblock: 1, offset: 0 },
      { textblock: 2, offset: 3 },
      1_000,
    );
    if (anchor === null) throw new Error("no words");
    root.delete(1, 1);
    expect(anchoredText(root, anchor)).toBe("standing: end");
  });

  it("[COMMENT-5] finds its words where they were retyped, among equal words elsewhere", () => {
    const { doc, root, textblock } = written("a word here", "a word there", "a word everywhere");
    const anchor = anchored(root, 1, 0, 6);
    const memory = openedWith(doc);
    textblock(1).delete(0, 6);
    textblock(1).insert(0, "a word");
    const { from } = { from: { textblock: -1 }, ...whereIs(anchor, liveText(root, memory)) };
    expect(from.textblock).toBe(1);
  });

  it("[COMMENT-5] over several paragraphs shrinks with them, and is gone once both ends are deleted", () => {
    const { root } = written("one two", "three", "four five", "six");
    const anchor = anchorOf(
      liveText(root),
      { textblock: 0, offset: 4 },
      { textblock: 2, offset: 4 },
      1_000,
    );
    if (anchor === null) throw new Error("no words");
    expect(anchoredText(root, anchor)).toBe("standing: two\nthree\nfour");
    root.delete(2, 1);
    expect(anchoredText(root, anchor)).toBe("standing: two\nthree");
    root.delete(0, 1);
    expect(anchoredText(root, anchor)).toBe("gone");
  });

  it("[COMMENT-5] is gone if its positions are invalid", () => {
    const { root } = written("the quick");
    for (const place of ["", "AA==", "!!", "AAAB////", "AQdkZWZhdWx0AA=="])
      expect(anchoredText(root, { start: place, end: place, quote: "no such words" })).toBe("gone");
  });
});
