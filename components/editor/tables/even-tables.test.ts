import { EditorState, TextSelection } from "@tiptap/pm/state";
import { expect, it } from "vitest";
import { readMarkdown } from "@/events/content/markdown-reading";
import { tableCommands } from "./table-editing";

it("[EDIT-37] “Delete row” and then “Delete column” take the row and the column of the caret", () => {
  const doc = readMarkdown("| a | b | c |\n|---|---|---|\n| d | e | f |\n| g | h | i |");
  let state = EditorState.create({ doc });
  doc.descendants((node, at) => {
    if (node.text === "e")
      state = state.apply(state.tr.setSelection(TextSelection.create(doc, at + 1)));
  });
  const run = (name: keyof typeof tableCommands) =>
    tableCommands[name](state, (transaction) => (state = state.apply(transaction)));
  run("deleteRow");
  expect(state.selection.$head.parent.textContent).toBe("h");
  run("deleteColumn");
  expect(state.doc.textContent).toBe("acgi");
  expect(state.selection.$head.parent.textContent).toBe("i");
});
