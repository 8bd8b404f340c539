import { EditorState, TextSelection } from "@tiptap/pm/state";
import { expect, it } from "vitest";
import { documentSchema } from "@/events/content/schema";
import { leaveBelow } from "./table-editing";

const line = (words: string) => ({
  type: "paragraph",
  ...(words !== "" && { content: [{ type: "text", text: words }] }),
});
const cell = (words: string) => ({ type: "tableCell", content: [line(words)] });
const row = (...words: string[]) => ({ type: "tableRow", content: words.map(cell) });
const table = { type: "table", content: [row("Who", "What"), row("Ana", "tents")] };

/** Returns the text with the caret after these words. */
function stateAt(words: string, ...content: object[]): EditorState {
  const doc = documentSchema.nodeFromJSON({ type: "doc", content });
  let at = -1;
  doc.descendants((node, position) => {
    if (node.text === words) at = position + words.length;
  });
  return EditorState.create({ doc, selection: TextSelection.create(doc, at) });
}

function left(state: EditorState): EditorState | null {
  let next: EditorState | null = null;
  leaveBelow(state, (transaction) => (next = state.apply(transaction)));
  return next;
}

it("[EDIT-36] leads from the last row of a final table to a new line below", () => {
  for (const words of ["Ana", "tents"]) {
    const after = left(stateAt(words, table));
    expect(after?.doc.lastChild?.type.name).toBe("paragraph");
    expect(after?.selection.$head.parent).toBe(after?.doc.lastChild);
  }
});

it("[EDIT-36] adds no line elsewhere", () => {
  expect(left(stateAt("Who", table))).toBeNull();
  expect(left(stateAt("tents", table, line("")))).toBeNull();
  expect(left(stateAt("End", table, line("End")))).toBeNull();
});
