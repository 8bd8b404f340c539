import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { passagesIn } from "@/components/editor/carets/passages";

function putCaret(editor: Editor, position: number): void {
  const { state, view } = editor;
  const near = state.doc.resolve(Math.min(position, state.doc.content.size));
  view.dispatch(state.tr.setSelection(TextSelection.near(near, -1)).setMeta("addToHistory", false));
  // A read-only text needs an explicit DOM focus.
  view.dom.focus({ preventScroll: true });
}

function elementAt({ view, state }: Editor, position: number): Element | null {
  const { node } = view.domAtPos(Math.min(position, state.doc.content.size));
  return node instanceof Element ? node : node.parentElement;
}

/** Scrolls to a passage, or to the position `stood` if it is gone, and puts the caret behind it. */
export function goTo(editor: Editor | null, id: string, stood: number): void {
  if (editor === null || editor.isDestroyed) return;
  const passage = passagesIn(editor.state).get(id);
  const element =
    editor.view.dom.querySelector(`[data-passage="${CSS.escape(id)}"]`) ?? elementAt(editor, stood);
  element?.scrollIntoView({ block: "center" });
  putCaret(editor, passage?.to ?? stood);
}

/** Returns the focus to the text without scrolling. The caret moves behind the passage, if any. */
export function leaveTo(editor: Editor | null, id: string): void {
  if (editor === null || editor.isDestroyed) return;
  putCaret(editor, passagesIn(editor.state).get(id)?.to ?? editor.state.selection.to);
}
