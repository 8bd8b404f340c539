import type { Node } from "@tiptap/pm/model";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import type { Transaction } from "@tiptap/pm/state";
import { DecorationSet } from "@tiptap/pm/view";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { expect, test } from "vitest";
import { breaksAfter } from "./long-blocks";
import { documentSchema } from "@/events/content/schema";

const prose = (length: number) => "One sentence, then another. ".repeat(length).slice(0, length);
const block = (type: string, words: string): Node =>
  documentSchema.node(type, null, words === "" ? [] : [documentSchema.text(words)]);
const doc = (...blocks: Node[]) => documentSchema.node("doc", null, blocks);

/** Returns a state with its breaks, as in the editor. */
function editing(blocks: Node[]) {
  let state = EditorState.create({ doc: doc(block("paragraph", "")) });
  let shown = DecorationSet.empty;
  const apply = (change: (transaction: Transaction) => Transaction) => {
    const transaction = change(state.tr);
    shown = breaksAfter(transaction, shown);
    state = state.apply(transaction);
  };
  apply((tr) => tr.replaceWith(0, tr.doc.content.size, blocks));
  return { apply, breaks: () => shown.find().map(({ from }) => from), doc: () => state.doc };
}

test("[EDIT-50] only very long blocks have breaks, each within its own block", () => {
  const { breaks } = editing([
    block("paragraph", prose(500)),
    block("paragraph", prose(20_000)),
    block("heading", prose(500)),
  ]);
  expect(breaks().length).toBeGreaterThan(2);
  expect(breaks().every((at) => at > 502 + 1_000 && at < 502 + 20_000)).toBe(true);
});

test.each([
  ["here", (tr: Transaction) => tr.insertText("Z", 6_000)],
  [
    "by another person, which the binding applies as a new document",
    (tr: Transaction) => {
      const next = tr.doc.replace(6_000, 6_000, doc(block("paragraph", "Z")).slice(1, 2));
      return tr
        .replaceWith(0, tr.doc.content.size, next.content)
        .setMeta(ySyncPluginKey, { isChangeOrigin: true });
    },
  ],
])("[EDIT-50] a letter written %s moves only the breaks behind it", (_where, change) => {
  const { apply, breaks } = editing([block("paragraph", prose(40_000))]);
  const before = breaks();
  apply(change);
  expect(breaks()).toEqual(before.map((at) => (at > 6_000 ? at + 1 : at)));
});

test("[EDIT-51] no break stands at the caret, nor near it in code", () => {
  const words = editing([block("paragraph", prose(20_000))]);
  const [first = 0, ...others] = words.breaks();
  words.apply((tr) => tr.setSelection(TextSelection.create(tr.doc, first - 1)));
  expect(words.breaks()).toEqual([first, ...others]);
  words.apply((tr) => tr.setSelection(TextSelection.create(tr.doc, first)));
  expect(words.breaks()).toEqual(others);

  const code = editing([block("codeBlock", "let letters = 1\n".repeat(2_000))]);
  const [line = 0, ...lines] = code.breaks();
  code.apply((tr) => tr.setSelection(TextSelection.create(tr.doc, line + 20)));
  expect(code.breaks()).toEqual(lines);
  // Typing there does not move the break back to the caret, however long the text gets.
  for (let letters = 0; letters < 9_000; letters += 90) {
    code.apply((tr) => tr.insertText(`${"x".repeat(89)}\n`));
    const { head } = TextSelection.atEnd(code.doc());
    expect(code.breaks().filter((at) => Math.abs(at - (line + 20 + letters + 90)) <= 200)).toEqual(
      [],
    );
    expect(
      Math.max(...[...code.breaks(), head].map((at, index, all) => at - (all[index - 1] ?? 0))),
    ).toBeLessThan(13_000);
  }
});

test("[EDIT-50] a split block keeps the breaks of its long half, and a deleted block has none", () => {
  const { apply, breaks } = editing([
    block("paragraph", prose(20_000)),
    block("paragraph", "End."),
  ]);
  const before = breaks();
  apply((tr) => tr.split(3_000));
  expect(breaks().length).toBeGreaterThanOrEqual(before.length - 1);
  expect(breaks().every((at) => at > 3_000)).toBe(true);
  apply((tr) => tr.delete(0, tr.doc.content.size - 6));
  expect(breaks()).toEqual([]);
});
