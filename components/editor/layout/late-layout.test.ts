import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as Y from "yjs";
import { BoundText } from "../bound-text.fixture";
import { lateBlocksOf, lateLayoutPlugin } from "./late-layout";

let frames: (() => void)[] = [];

beforeEach(() => {
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
  vi.stubGlobal("cancelAnimationFrame", () => (frames = []));
});
afterEach(() => vi.unstubAllGlobals());

/** Draws a frame. Returns false if none was requested. */
function draw(): boolean {
  const due = frames;
  frames = [];
  for (const run of due) run();
  return due.length > 0;
}

function lines(count: number, words = "one sentence of somebody else"): Y.XmlElement[] {
  return Array.from({ length: count }, (_, at) => {
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText(`${at}: ${words}`)]);
    return paragraph;
  });
}

/** Applies a remote change to the text. */
function elsewhere(text: BoundText, write: (fragment: Y.XmlFragment) => void): void {
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(text.doc));
  const known = Y.encodeStateVector(other);
  write(other.getXmlFragment("default"));
  Y.applyUpdate(text.doc, Y.encodeStateAsUpdate(other, known), "network");
}

function editing(first: number): BoundText {
  const doc = new Y.Doc();
  doc.getXmlFragment("default").insert(0, lines(first));
  return new BoundText(doc, [lateLayoutPlugin()]);
}

/** Returns the indexes of the blocks whose layout is deferred. */
function lateIn({ state }: BoundText): number[] {
  const { shown } = lateBlocksOf(state);
  return shown.find().map(({ from, to }) => {
    const { node, index } = state.doc.childAfter(from);
    expect(to - from).toBe(node?.nodeSize);
    return index;
  });
}

test("[EDIT-56] many arriving blocks are laid out a few per frame until none is left", () => {
  const text = editing(3);
  expect(lateIn(text)).toEqual([]);
  elsewhere(text, (fragment) => fragment.insert(2, lines(500)));
  expect(text.state.doc.childCount).toBe(503);
  const counts = [lateIn(text).length];
  while (draw()) counts.push(lateIn(text).length);
  expect(counts[0]).toBe(500);
  expect(counts.at(-1)).toBe(0);
  counts.slice(1).forEach((count, at) => {
    expect((counts[at] ?? 0) - count).toBeGreaterThan(0);
    expect((counts[at] ?? 0) - count).toBeLessThanOrEqual(64);
  });
});

test("[EDIT-56] longer blocks are laid out fewer per frame", () => {
  const text = editing(1);
  elsewhere(text, (fragment) => fragment.insert(1, lines(100, "word ".repeat(1_200))));
  draw();
  expect(lateIn(text)).toHaveLength(98);
});

test("[EDIT-56] the caret’s block, few blocks and own blocks are laid out at once", () => {
  const text = editing(2);
  elsewhere(text, (fragment) => fragment.insert(0, lines(39)));
  text.type("a line\n".repeat(60), 3);
  expect(lateIn(text)).toEqual([]);
  text.caret(1);
  elsewhere(text, (fragment) => {
    fragment.delete(0, fragment.length);
    fragment.insert(0, lines(60));
  });
  const caret = text.state.doc.childAfter(text.state.selection.head).index;
  expect(lateIn(text)).toHaveLength(59);
  expect(lateIn(text)).not.toContain(caret);
  expect(frames).toHaveLength(1);
});

test("[EDIT-56] edits meanwhile leave deferred blocks and undo intact", () => {
  const text = editing(1);
  text.type("mine ", 1);
  elsewhere(text, (fragment) => fragment.insert(1, lines(200)));
  text.type("too ");
  elsewhere(text, (fragment) => {
    const line = fragment.get(100);
    const words = line instanceof Y.XmlElement ? line.get(0) : null;
    if (words instanceof Y.XmlText) words.insert(0, "changed ");
    fragment.insert(50, lines(1));
  });
  // The changed block and the new block are drawn, and the other blocks wait.
  expect(lateIn(text)).toHaveLength(199);
  expect(lateIn(text)).not.toContain(50);
  expect(lateIn(text)).not.toContain(101);
  while (draw()) expect(text.text).toContain("mine too ");
  expect(text.undo()).toBe(true);
  expect(text.undo()).toBe(true);
  expect(text.text).not.toContain("mine");
  expect(text.redo()).toBe(true);
  expect(text.text).toContain("mine ");
});

test("[EDIT-56] layout pauses during a composition and stops when the editor ends", () => {
  const text = editing(1);
  elsewhere(text, (fragment) => fragment.insert(1, lines(300)));
  Object.assign(text, { composing: true });
  draw();
  expect(lateIn(text)).toHaveLength(300);
  Object.assign(text, { composing: false });
  draw();
  expect(lateIn(text)).toHaveLength(236);
  text.destroy();
  expect(draw()).toBe(false);
});

test("[EDIT-56] a text that is bound first or rebound is laid out at once", () => {
  const text = editing(100);
  expect(lateIn(text)).toEqual([]);
  const other = new Y.Doc();
  other.getXmlFragment("default").insert(0, lines(150));
  text.rebind(other);
  expect(text.state.doc.childCount).toBe(150);
  expect(lateIn(text)).toEqual([]);
});
