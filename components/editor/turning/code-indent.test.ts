import { EditorState, TextSelection } from "@tiptap/pm/state";
import { expect, it } from "vitest";
import { documentSchema } from "@/events/content/schema";
import { indentedCode, outdentedCode } from "./code-indent";

function code(words: string, from: number, to = from): EditorState {
  const block = documentSchema.node("codeBlock", null, [documentSchema.text(words)]);
  const doc = documentSchema.node("doc", null, [block]);
  return EditorState.create({ doc, selection: TextSelection.create(doc, from + 1, to + 1) });
}

const wordsOf = (transaction: ReturnType<typeof indentedCode>) => transaction?.doc.textContent;

it("[EDIT-38] Tab puts an indent at the caret in code", () => {
  expect(wordsOf(indentedCode(code("ab", 1)))).toBe("a  b");
});

it("[EDIT-38] Tab and Shift+Tab move the selected lines of code", () => {
  const lines = code("a\n  b\n\tc\nd", 1, 8);
  expect(wordsOf(indentedCode(lines))).toBe("  a\n    b\n  \tc\nd");
  expect(wordsOf(outdentedCode(lines))).toBe("a\nb\nc\nd");
  expect(wordsOf(indentedCode(code("a\nb", 0, 2)))).toBe("  a\nb");
});

it("[EDIT-38] only code is indented", () => {
  const doc = documentSchema.node("doc", null, [documentSchema.node("paragraph")]);
  expect(indentedCode(EditorState.create({ doc }))).toBeNull();
});
