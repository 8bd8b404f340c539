import type { Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import type { DragEvent as ReactDragEvent } from "react";
import { othersWriteIn } from "../carets/remote-carets";
import { landed, landingAt } from "./block-landing";
import type { Landing } from "./block-landing";

/**
 * Starts to drag a block by its handle. Outside the text, the dragged data equals the data of a
 * copy.
 */
export function beginDrag(editor: Editor, at: number, { dataTransfer }: ReactDragEvent): void {
  const { view, state } = editor;
  const selection = NodeSelection.create(state.doc, at);
  view.dispatch(state.tr.setSelection(selection));
  const { dom, text } = view.serializeForClipboard(selection.content());
  dataTransfer.clearData();
  dataTransfer.setData("text/html", dom.innerHTML);
  dataTransfer.setData("text/plain", text);
  dataTransfer.effectAllowed = "copyMove";
  const element = view.nodeDOM(at);
  if (element instanceof Element) dataTransfer.setDragImage(element, 0, 0);
}

/**
 * Handles a block's drag and drop before the editor does. The editor would delete the block and
 * insert a new one, which loses remote letters in transit. `onLanding` receives the drop target.
 * Returns the function that stops watching.
 */
export function watchDrag(
  editor: Editor,
  onLanding: (landing: Landing | null) => void,
): () => void {
  const page = editor.view.dom.closest("main") ?? document.body;
  const stop = new AbortController();
  const { signal } = stop;
  const landingOf = ({ clientX, clientY }: DragEvent) => {
    const { selection } = editor.state;
    return selection instanceof NodeSelection
      ? landingAt(editor.view, selection.from, clientX, clientY)
      : null;
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "move";
    onLanding(landingOf(event));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const landing = landingOf(event);
    const { state, view } = editor;
    const { from, to } = state.selection;
    const moved = landing && landed(state, { from, to }, landing.target, othersWriteIn(state));
    if (moved && editor.isEditable) view.dispatch(moved);
    view.focus();
  };
  page.addEventListener("dragover", over, { capture: true, signal });
  page.addEventListener("drop", drop, { capture: true, signal });
  page.addEventListener("dragleave", () => onLanding(null), { capture: true, signal });
  return () => {
    stop.abort();
    onLanding(null);
  };
}
