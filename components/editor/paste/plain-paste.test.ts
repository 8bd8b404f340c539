import type { Node } from "@tiptap/pm/model";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import { expect, test } from "vitest";
import { linkingPaste } from "@/events/content/link";
import { documentSchema } from "@/events/content/schema";

const block = (name: string, words: string, mark?: string): Node =>
  documentSchema.node(name, null, [
    documentSchema.text(words, mark === undefined ? [] : [documentSchema.mark(mark)]),
  ]);

/** Returns a document of one block with all of its words selected. */
function selected(of: Node): EditorState {
  const doc = documentSchema.node("doc", null, [of]);
  return EditorState.create({ doc, selection: TextSelection.create(doc, 1, 1 + of.content.size) });
}

const pasted = (state: EditorState, paste: typeof linkingPaste, plain: string) => {
  const transaction = paste(state, plain);
  return transaction === null ? undefined : state.apply(transaction);
};

test("an address pasted over words links them, unless they cannot hold a link", () => {
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
