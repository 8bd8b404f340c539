import { Fragment, Slice } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import type { Transaction } from "@tiptap/pm/state";
import { expect, test } from "vitest";
import { pasteInPieces } from "./long-paste";
import { documentSchema } from "@/events/content/schema";

const paragraph = (words: string): Node =>
  documentSchema.node("paragraph", null, words === "" ? [] : [documentSchema.text(words)]);

/** Creates the part of an editor's view that a paste needs, with all transactions received. */
function viewOf(texts: string[]) {
  const steps: Transaction[] = [];
  const view = {
    state: EditorState.create({ doc: documentSchema.node("doc", null, texts.map(paragraph)) }),
    dispatch(transaction: Transaction) {
      steps.push(transaction);
      view.state = view.state.apply(transaction);
    },
  };
  return {
    view,
    steps,
    texts: () => view.state.doc.content.content.map(({ textContent }) => textContent),
  };
}

test("[EDIT-6] a long paste over selected words leaves the paragraphs behind them whole", () => {
  const { view, texts } = viewOf(["one", "two, to be replaced", "three"]);
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 9, 25)));
  pasteInPieces(view, Fragment.from(["a", "b"].map((letter) => paragraph(letter.repeat(40_000)))));
  expect(texts().map((words) => words.slice(0, 5))).toEqual([
    "one",
    "two",
    "aaaaa",
    "bbbbb",
    "three",
  ]);
});

test("[EDIT-6] a long paste replaces a selection across paragraphs in place", () => {
  const { view, texts } = viewOf(["one", "two", "three", "four"]);
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 3, 13)));
  pasteInPieces(view, Fragment.from(paragraph("a".repeat(70_000))));
  expect(texts().map((words) => words.slice(0, 5))).toEqual(["on", "aaaaa", "ree", "four"]);
});

test.each([
  ["at the beginning of a line", 1, ["aaaaa", "one w"]],
  ["within a line", 4, ["one", "aaaaa", " word"]],
  ["at the end of a line", 9, ["one w", "aaaaa"]],
])(
  "[EDIT-6] a long paste %s goes to the caret, and the caret behind it",
  (_place, at, expected) => {
    const { view, texts } = viewOf(["one word"]);
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, at)));
    pasteInPieces(view, Fragment.from(paragraph("a".repeat(70_000))));
    expect(texts().map((words) => words.slice(0, 5))).toEqual(expected);
    const { $from } = view.state.selection;
    expect([$from.parent.textContent.slice(0, 5), $from.parentOffset]).toEqual(["aaaaa", 70_000]);
  },
);

test("[EDIT-6] a long paste replaces an empty line", () => {
  const { view, texts } = viewOf(["one", "", "three"]);
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 6)));
  pasteInPieces(view, Fragment.from(paragraph("a".repeat(70_000))));
  expect(texts().map((words) => words.slice(0, 5))).toEqual(["one", "aaaaa", "three"]);
  expect(view.state.selection.$from.parentOffset).toBe(70_000);
});

test("[EDIT-6] a long paste is never cut within a character", () => {
  const { view, steps, texts } = viewOf([""]);
  const words = `.${"😀".repeat(70_000)}`;
  pasteInPieces(view, Fragment.from(paragraph(words)));
  const pieces = steps
    .flatMap((step) => step.steps)
    .flatMap((step) =>
      "slice" in step && step.slice instanceof Slice
        ? [step.slice.content.textBetween(0, step.slice.content.size)]
        : [],
    );
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.filter((piece) => /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece)).length).toBe(0);
  expect(texts().join("") === words).toBe(true);
});
