import type { Node } from "@tiptap/pm/model";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import { expect, test } from "vitest";
import { linkingPaste } from "@/events/content/link";
import { numberedPaste } from "@/events/content/lists";
import { documentSchema } from "@/events/content/schema";

const block = (name: string, words: string, mark?: string): Node =>
  documentSchema.node(name, null, [
    documentSchema.text(words, mark === undefined ? [] : [documentSchema.mark(mark)]),
  ]);

/** A document of one block, all of its words selected. */
function selected(of: Node): EditorState {
  const doc = documentSchema.node("doc", null, [of]);
  return EditorState.create({ doc, selection: TextSelection.create(doc, 1, 1 + of.content.size) });
}

const kinds = (state: EditorState | undefined) =>
  state?.doc.content.content.map(({ type }) => type.name);
const pasted = (state: EditorState, paste: typeof numberedPaste, plain: string) => {
  const transaction = paste(state, plain);
  return transaction === null ? undefined : state.apply(transaction);
};

test("numbered lines that are pasted become a list, and stay lines in code", () => {
  const lines = "4. Walk the tunnel\n5. Measure the sand";
  const list = pasted(selected(block("paragraph", "here")), numberedPaste, lines);
  expect(kinds(list)).toEqual(["orderedList"]);
  expect(list?.doc.firstChild?.attrs.start).toBe(4);
  expect(list?.doc.textContent).toBe("Walk the tunnelMeasure the sand");
  expect(pasted(selected(block("codeBlock", "here")), numberedPaste, lines)).toBeUndefined();
});

test("an address that is pasted over words links them, and comes in as text where they can be no link", () => {
  const address = "https://example.com/tides";
  const linked = pasted(selected(block("paragraph", "here")), linkingPaste, address);
  expect(linked?.doc.rangeHasMark(1, 5, documentSchema.mark("link", { href: address }))).toBe(true);
  expect(linked?.doc.textContent).toBe("here");
  expect(pasted(selected(block("codeBlock", "here")), linkingPaste, address)).toBeUndefined();
  expect(
    pasted(selected(block("paragraph", "here", "code")), linkingPaste, address),
  ).toBeUndefined();
  expect(pasted(selected(block("paragraph", "here")), linkingPaste, "no address")).toBeUndefined();
});
