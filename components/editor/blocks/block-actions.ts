import type { Editor } from "@tiptap/core";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import type { Transaction } from "@tiptap/pm/state";
import { othersWriteIn } from "../carets/remote-carets";
import type { CopyText } from "@/components/ui/clipboard/use-copy-text";
import { copyBlockLink } from "./copy-block-link";
import { deleteBlock, duplicateBlock, moveBlock, selectedBlocks } from "./block-moves";

/** The actions on a block, except turning it into another kind. */
export type BlockAction = "duplicate" | "up" | "down" | "link" | "comment" | "delete";

/** Selects the block at a position, unless the caret is already in it. */
export function selectBlock(editor: Editor, at: number): void {
  const { state, view } = editor;
  if (selectedBlocks(state)?.from === at || state.doc.nodeAt(at) === null) return;
  const inside = state.tr.setSelection(TextSelection.near(state.doc.resolve(at + 1)));
  const found = selectedBlocks(state.apply(inside))?.from === at;
  view.dispatch(found ? inside : state.tr.setSelection(NodeSelection.create(state.doc, at)));
}

/** Selects the text of the selected block, for actions on text. */
function selectWords(editor: Editor): void {
  const { state, view } = editor;
  const range = selectedBlocks(state);
  if (range === null || !(state.selection instanceof TextSelection && state.selection.empty))
    return;
  const { $from } = state.selection;
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, $from.start(), $from.end())));
}

/** Runs an action on the selected block. */
export function runBlockAction(
  editor: Editor,
  action: BlockAction,
  onComment: (() => void) | null,
  copyText: CopyText,
): void {
  const { state, view } = editor;
  const dispatch = (tr: Transaction | null) => tr !== null && view.dispatch(tr);
  switch (action) {
    case "duplicate":
      dispatch(duplicateBlock(state));
      break;
    case "up":
      dispatch(moveBlock(state, -1, othersWriteIn(state)));
      break;
    case "down":
      dispatch(moveBlock(state, 1, othersWriteIn(state)));
      break;
    case "link":
      void copyBlockLink(editor, selectedBlocks(state)?.from ?? 0, copyText);
      break;
    case "delete":
      dispatch(deleteBlock(state));
      break;
    case "comment":
      selectWords(editor);
      onComment?.();
  }
}
