import type { Editor } from "@tiptap/core";
import { indentedCode, outdentedCode } from "./code-indent";
import { turned } from "./block-turning";
import type { BlockKindId } from "./block-turning";
import type { Span } from "./touched-blocks";

/** Turns the selected blocks, or the blocks of a span, into a kind, as one undo step. */
function turnBlocks(editor: Editor, kind: BlockKindId, span?: Span): void {
  const transaction = editor.isEditable ? turned(editor.state, kind, span && { span }) : null;
  if (transaction) editor.view.dispatch(transaction);
  editor.commands.focus(undefined, { scrollIntoView: false });
}

/**
 * Turns the selected blocks into a kind, or back into text if all are of that kind. A caret in a
 * list selects the whole list.
 */
function toggleBlocks(editor: Editor, kind: BlockKindId): void {
  const { state } = editor;
  const transaction = editor.isEditable
    ? turned(state, kind, { toggles: kind !== "text", wholeLists: state.selection.empty })
    : null;
  if (transaction) editor.view.dispatch(transaction);
}

/** Indents or outdents the selected lines of code. */
function moveCode(editor: Editor, out: boolean): void {
  const transaction = (out ? outdentedCode : indentedCode)(editor.state);
  if (transaction) editor.view.dispatch(transaction);
}

/** Registers these commands for the keys of an editor. */
export function provideBlockCommands(editor: Editor): void {
  editor.storage.turningKeys.commands = { turnBlocks, toggleBlocks, moveCode };
}
