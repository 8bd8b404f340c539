import type { Node } from "@tiptap/pm/model";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import { expect, it } from "vitest";
import { documentSchema } from "@/events/content/schema";
import { readMarkdown } from "@/events/content/markdown-reading";
import { turned } from "./block-turning";
import type { BlockKindId } from "./block-turning";

function placeOf(doc: Node, words: string): number {
  let at = -1;
  doc.descendants((node, position) => {
    const index = node.text?.indexOf(words) ?? -1;
    if (index >= 0) at = position + index;
  });
  if (at < 0) throw new Error(`nothing says ${words}`);
  return at;
}

/** Returns a text with the selection from one word to another. */
function selecting(markdown: string, from: string, to = from): EditorState {
  const doc = readMarkdown(markdown);
  const selection = TextSelection.create(doc, placeOf(doc, from), placeOf(doc, to) + to.length);
  return EditorState.create({ doc, selection });
}

const turn = (state: EditorState, kind: BlockKindId, options = {}) => {
  const transaction = turned(state, kind, options);
  return transaction === null ? state : state.apply(transaction);
};
const read = (markdown: string) => readMarkdown(markdown).toString();

const mixed = "# one\n\ntwo\n\n- three\n  1. four\n  2. five\n- six\n\n> seven\n>\n> eight\n\nnine";

it("[EDIT-39] a heading, a paragraph, a nested list and a quotation become one list, nested as before", () => {
  const after = turn(selecting(mixed, "one", "eight"), "bullets");
  expect(after.doc.toString()).toBe(
    read("- one\n- two\n- three\n  - four\n  - five\n- six\n- seven\n- eight\n\nnine"),
  );
  expect(after.doc.textBetween(after.selection.from, after.selection.to, " ")).toBe(
    "one two three four five six seven eight",
  );
});

it("[EDIT-39] blocks turned into text, headings or a quotation keep their order", () => {
  const state = selecting(mixed, "one", "eight");
  expect(turn(state, "text").doc.toString()).toBe(
    read("one\n\ntwo\n\nthree\n\nfour\n\nfive\n\nsix\n\nseven\n\neight\n\nnine"),
  );
  expect(turn(state, "heading-2").doc.childCount).toBe(9);
  expect(turn(state, "quote").doc.toString()).toBe(
    read(
      "> # one\n>\n> two\n>\n> - three\n>   1. four\n>   2. five\n> - six\n>\n> seven\n>\n> eight\n\nnine",
    ),
  );
});

it("[EDIT-39] a turned item of a nested list stays on its level, and numbering continues", () => {
  const list = "1. one\n   1. two\n   2. three\n   3. four\n2. five";
  expect(turn(selecting(list, "three"), "bullets").doc.toString()).toBe(
    read("1. one\n   1. two\n   - three\n   2. four\n2. five"),
  );
  const numbers: unknown[] = [];
  turn(selecting(list, "three"), "text").doc.descendants((node) => {
    if (node.type.name === "orderedList") numbers.push(node.attrs.start);
  });
  expect(numbers).toEqual([1, 1, 2]);
});

it("[EDIT-39] a key turns a caret’s whole list, and turns its item back into text", () => {
  const state = selecting("- one\n- two\n  - three\n\nfour", "two");
  const caret = state.apply(
    state.tr.setSelection(TextSelection.create(state.doc, state.selection.from)),
  );
  const options = { toggles: true, wholeLists: true };
  const numbered = turn(caret, "numbers", options);
  expect(numbered.doc.toString()).toBe(read("1. one\n2. two\n   - three\n\nfour"));
  expect(turn(numbered, "numbers", options).doc.toString()).toBe(
    read("1. one\n\ntwo\n\n- three\n\nfour"),
  );
});

it("[EDIT-39] code spells a link to a document as its address", () => {
  const { paragraph, documentLink } = documentSchema.nodes;
  const id = "0190c0de-0000-7000-8000-000000000001";
  const link = documentLink?.create({ document: id });
  const words = documentSchema.text("See ");
  const doc = documentSchema.node(
    "doc",
    null,
    [paragraph?.create(null, link ? [words, link] : [words]) ?? []].flat(),
  );
  const after = turn(EditorState.create({ doc }), "code");
  expect(after.doc.textContent).toBe(`See /d/${id}`);
});
