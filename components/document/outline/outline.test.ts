import { EditorState, TextSelection } from "@tiptap/pm/state";
import { expect, test } from "vitest";
import { documentSchema } from "@/events/content/schema";
import { countSentence, headingsOf, identified, wordCounts } from "./outline";

const block = (name: string, words: string, attrs: object | null = null) =>
  documentSchema.node(name, { ...attrs }, words === "" ? [] : documentSchema.text(words));
const doc = documentSchema.node("doc", null, [
  block("paragraph", "Before all of it."),
  block("heading", "The shelf", { level: 2 }),
  block("heading", "Upper part", { level: 3 }),
  block("heading", "  ", { level: 2 }),
  block("paragraph", "Two words"),
  block("heading", "The end", { level: 2 }),
]);

test("[EDIT-35] the outline lists each heading with words at its depth below the highest", () => {
  expect(headingsOf(doc).map(({ words, level }) => [words, level])).toEqual([
    ["The shelf", 0],
    ["Upper part", 1],
    ["The end", 0],
  ]);
  for (const { at, words } of headingsOf(doc)) expect(doc.nodeAt(at)?.textContent).toBe(words);
  expect(headingsOf(documentSchema.node("doc", null, block("paragraph", "")))).toEqual([]);
});

test("[EDIT-35] counts the words of the text and of the selection", () => {
  const state = EditorState.create({ doc });
  expect(countSentence(wordCounts(state))).toBe("12 words");
  const selected = state.apply(state.tr.setSelection(TextSelection.create(doc, 1, 11)));
  expect(countSentence(wordCounts(selected))).toBe("2 of 12 words");
  const one = EditorState.create({
    doc: documentSchema.node("doc", null, block("paragraph", "Hi")),
  });
  expect(countSentence(wordCounts(one))).toBe("1 word");
});

test("[EDIT-35] a heading keeps its id while text in and around it changes", () => {
  const entry = (words: string, at = 0) => ({ words, at, level: 0 });
  const outline = (...words: string[]) => words.map((each, index) => entry(each, index * 10));
  const ids = (entries: { id: number }[]) => entries.map(({ id }) => id);
  const before = identified([], outline("One", "Two", "Two", "Three"));
  expect(ids(before)).toEqual([0, 1, 2, 3]);
  const moved = outline("One", "Two", "Two", "Three").map((each) => ({ ...each, at: each.at + 7 }));
  expect(identified(before, moved)).toEqual(moved.map((each, id) => ({ ...each, id })));
  expect(ids(identified(before, outline("One", "Twos", "Two", "Three")))).toEqual([0, 1, 2, 3]);
  expect(ids(identified(before, outline("New", "One", "Two", "Two", "Three")))).toEqual([
    4, 0, 1, 2, 3,
  ]);
  expect(ids(identified(before, outline("One", "Two", "Three")))).toEqual([0, 1, 3]);
  expect(ids(identified(before, outline("One", "Two", "Two", "Two", "Three")))).toEqual([
    0, 1, 2, 4, 3,
  ]);
  expect(identified(before, [])).toEqual([]);
  const many = Array.from({ length: 200_000 }, () => entry("Many"));
  expect(identified(identified([], many), many).at(-1)?.id).toBe(199_999);
});
