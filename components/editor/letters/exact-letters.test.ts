import { joinBackward, joinForward, toggleMark } from "@tiptap/pm/commands";
import { Fragment, Slice } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { BoundText, pair } from "../bound-text.fixture";
import { Finder } from "../find/hits";
import { replaceAll } from "../find/replacement";
import { randomEdit, seeded } from "../random-edits.fixture";
import { documentSchema as schema } from "@/events/content/schema";
import { idsOf, watchLetters } from "./watched-letters.fixture";

const seeds = Array.from(
  { length: Number(process.env.SEEDS ?? 25) },
  (_, index) => index + Number(process.env.SEED ?? 1),
);
const right = { elsewhere: [], rewritten: [] };

const { nodes, marks } = schema;
const bold = marks.bold?.create();
const { paragraph, hardBreak } = nodes;
if (!bold || !paragraph || !hardBreak) throw new Error("not in the schema");

/** Returns the author of each letter, by the client ids of two writers. */
function writersOf(text: BoundText): string {
  return [...idsOf(text).values()].map((id) => (id.startsWith("1:") ? "A" : "B")).join("");
}

const finder = new Finder({ words: "a", matchCase: false, wholeWords: false });
const hitsOf = ({ state }: BoundText) => finder.hitsIn(state.doc);

type Random = () => number;
const letters = (random: Random) =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, () => (random() < 0.7 ? "a" : "b")).join("");
const words = (random: Random): Node =>
  schema.text(letters(random), random() < 0.2 ? [bold] : undefined);

/**
 * Edits of lines with few distinct letters. The steps of each edit name the exact letters that it
 * changes.
 */
const lineEdits: ((random: Random, text: BoundText) => void)[] = [
  (random, text) => text.type(letters(random)),
  (random, text) => text.type(letters(random)),
  (_, text) => text.type("\n"),
  (_, { state, dispatch }) => dispatch(state.tr.deleteSelection()),
  (_, { state, dispatch }) => {
    const { from } = state.selection;
    if (state.selection.$from.parentOffset > 0) dispatch(state.tr.delete(from - 1, from));
  },
  (_, { state, dispatch }) => {
    const { to, $to } = state.selection;
    if (to < $to.end()) dispatch(state.tr.delete(to, to + 1));
  },
  (random, { state, dispatch }) =>
    dispatch(state.tr.replaceSelection(new Slice(Fragment.from(words(random)), 0, 0))),
  (random, { state, dispatch }) => {
    const content = [words(random), hardBreak.create(), words(random)];
    dispatch(state.tr.replaceSelection(new Slice(Fragment.from(content), 0, 0)));
  },
  (random, { state, dispatch }) => {
    const content = [words(random), words(random)].map((line) => paragraph.create(null, line));
    dispatch(state.tr.replaceSelection(new Slice(Fragment.from(content), 1, 1)));
  },
  (_, { state, dispatch }) => toggleMark(bold.type)(state, dispatch),
  (_, { state, dispatch }) => joinBackward(state, dispatch),
  (_, { state, dispatch }) => joinForward(state, dispatch),
  // In a long text the hits are deleted instead, which bounds its length.
  (random, text) => replaceAll(text, hitsOf(text), text.text.length < 60 ? letters(random) : ""),
  (_, text) => text.undo(),
  (_, text) => text.redo(),
];

function editLine(random: Random, text: BoundText): void {
  const { doc, tr } = text.state;
  const anchor = Math.floor(random() * (doc.content.size + 1));
  const head = Math.min(doc.content.size, anchor + (random() < 0.5 ? 0 : Math.floor(random() * 6)));
  text.dispatch(tr.setSelection(TextSelection.between(doc.resolve(anchor), doc.resolve(head))));
  lineEdits[Math.floor(random() * lineEdits.length)]?.(random, text);
}

test("[EDIT-71] lines of equal letters keep each letter where its writer left it", () => {
  for (const seed of seeds) {
    const random = seeded(seed);
    const { ana, ben } = pair();
    const watched = [ana, ben].map((text) => watchLetters(text, true));
    for (let edit = 0; edit < 60; edit += 1) {
      editLine(random, random() < 0.5 ? ana : ben);
      expect(watched, `seed ${seed}, edit ${edit}`).toEqual([right, right]);
      expect(ben.text, `seed ${seed}, edit ${edit}`).toBe(ana.text);
    }
  }
});

test("[EDIT-71] edits in any block insert and delete exactly the letters of their steps", () => {
  for (const seed of seeds) {
    const random = seeded(seed);
    const { ana, ben } = pair();
    const watched = [ana, ben].map((text) => watchLetters(text, false));
    for (let edit = 0; edit < 40; edit += 1) {
      const writer = random() < 0.5 ? ana : ben;
      if (random() < 0.1) writer.undo();
      else randomEdit(random, writer, "aab");
      expect(watched, `seed ${seed}, edit ${edit}`).toEqual([right, right]);
    }
    // A second editor that opens the document shows the same text, marks and attributes.
    const copy = new Y.Doc();
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(ana.doc));
    expect(new BoundText(copy).state.doc.toJSON()).toEqual(ana.state.doc.toJSON());
  }
});

test("[EDIT-71] a letter typed before another’s equal letter keeps its writer", () => {
  const { ana, ben } = pair();
  ana.type("small");
  ben.type("Dan begins ", 1);
  expect(ana.text).toBe("Dan begins small");
  expect(writersOf(ana)).toBe("BBBBBBBBBBBAAAAA");
});

test("[EDIT-71] deletes the selected one among equal letters and words", () => {
  const { ana, ben } = pair();
  ana.type("aa");
  ben.type("aa", 3);
  ana.deleted(1, 2);
  expect(writersOf(ben)).toBe("ABB");
  ben.deleted(2, 3);
  expect(writersOf(ben)).toBe("AB");

  const other = pair();
  other.ana.type("ha ha");
  other.ben.type(" ha", 6);
  other.ana.deleted(1, 4);
  expect(other.ben.text).toBe("ha ha");
  expect(writersOf(other.ben)).toBe("AABBB");
});

test("[EDIT-71] a caret behind an edited list item keeps its place", () => {
  const { ana, ben } = pair();
  const item = (line: string) =>
    nodes.listItem?.create(null, paragraph.create(null, schema.text(line))) ?? [];
  const list = nodes.bulletList?.create(null, Fragment.from([item("aa"), item("bb")].flat()));
  if (!list) throw new Error("no list");
  ana.dispatch(ana.state.tr.replaceWith(0, ana.state.doc.content.size, list));
  ben.caret(ben.find("bb") + 1);
  ben.type("c", ben.find("aa"));
  ben.caret(ben.find("bb") + 1);
  ana.type("d", ana.find("aa"));
  ben.type("!");
  expect(ana.text.replace(/\|+/g, "|")).toContain("b!b");
});
