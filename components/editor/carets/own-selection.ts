import { Extension } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import { Plugin, Selection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { docListener } from "../undo/doc-listener";

/** The time in ms after which ProseMirror restores its own selection on focus. */
const shownAgainAfter = 20;

/**
 * Reads the browser's current selection into the editor. Browsers report a moved caret late, and a
 * redraw in between would move it back. Call this before every redraw that the person's own input
 * does not cause.
 */
export function readSelection(view: EditorView): void {
  if (!view.isDestroyed && view.hasFocus() && !view.composing)
    document.dispatchEvent(new Event("selectionchange"));
}

/** Moves the caret to the start of the text before the next key is handled. */
export function focusStart({ state, view }: Editor): void {
  view.dispatch(state.tr.setSelection(Selection.atStart(state.doc)).scrollIntoView());
  if (view.editable) view.focus();
  else view.dom.focus();
}

/**
 * Keeps the caret where the person has just placed it, for the next key and when remote changes
 * arrive.
 */
export const OwnSelection = Extension.create({
  name: "ownSelection",
  // Runs before the binding, which stores the selection when a change begins.
  priority: 1_100,
  addProseMirrorPlugins() {
    return [
      new Plugin({
        props: {
          handleDOMEvents: {
            // A key right after the key that moved the caret belongs at the new position.
            keydown: (view, event) => {
              if (!event.isComposing) readSelection(view);
              return false;
            },
            focus: (view) => {
              setTimeout(() => readSelection(view), shownAgainAfter);
              return false;
            },
          },
        },
        view: (view) =>
          docListener(view, (doc) => {
            const before = () => {
              // The selection of a local change was read before and is being dispatched.
              if (doc._transaction?.origin !== ySyncPluginKey) readSelection(view);
            };
            doc.on("beforeAllTransactions", before);
            return () => doc.off("beforeAllTransactions", before);
          }),
      }),
    ];
  },
});
