import type { EditorState, Transaction } from "@tiptap/pm/state";

const step = "  ";
const leading = /^(?: {1,2}|\t)/;

/** Returns the starts of the selected lines within one code block, or null outside code. */
function linesOf({ selection }: EditorState): number[] | null {
  const { $from, $to } = selection;
  if ($from.parent.type.spec.code !== true || !$from.sameParent($to)) return null;
  const code = $from.parent.textContent;
  const first = code.lastIndexOf("\n", $from.parentOffset - 1) + 1;
  const starts = [$from.parentOffset === 0 ? 0 : first];
  for (let at = code.indexOf("\n", $from.parentOffset); at >= 0; at = code.indexOf("\n", at + 1)) {
    // A line without selected characters is not indented.
    if (at + 1 >= $to.parentOffset) break;
    starts.push(at + 1);
  }
  return starts.map((start) => $from.start() + start);
}

/** Indents the selected lines of code, or inserts an indent at the caret. Null outside code. */
export function indentedCode(state: EditorState): Transaction | null {
  const lines = linesOf(state);
  if (lines === null) return null;
  const { tr, selection } = state;
  if (selection.empty) return tr.insertText(step).scrollIntoView();
  for (const line of lines.toReversed()) tr.insertText(step, line);
  return tr.scrollIntoView();
}

/** Removes one indent from the selected lines of code. Returns null outside code. */
export function outdentedCode(state: EditorState): Transaction | null {
  const lines = linesOf(state);
  if (lines === null) return null;
  const { tr, doc } = state;
  for (const line of lines.toReversed()) {
    const $line = doc.resolve(line);
    const rest = $line.parent.textContent.slice($line.parentOffset);
    const indent = leading.exec(rest)?.[0].length ?? 0;
    if (indent > 0) tr.delete(line, line + indent);
  }
  return tr.scrollIntoView();
}
