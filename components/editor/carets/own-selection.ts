import { type Editor, Extension } from "@tiptap/core";
import { Plugin, Selection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { docListener } from "../undo/doc-listener";

/** ProseMirror shows its own selection again so many milliseconds after the focus came. */
const shownAgainAfter = 20;

/**
 * Takes in where the browser has the caret now. It tells of a moved caret a moment late, and
 * whatever draws the text anew in that moment would put the caret back: to be called before
 * anything is drawn that is not the writer's own doing.
 */
export function readSelection(view: EditorView): void {
  if (!view.isDestroyed && view.hasFocus() && !view.composing)
    document.dispatchEvent(new Event("selectionchange"));
}

/** Puts the caret at the beginning of the text, before the key that follows. */
export function focusStart({ state, view }: Editor): void {
  view.dispatch(state.tr.setSelection(Selection.atStart(state.doc)).scrollIntoView());
  if (view.editable) view.focus();
  else view.dom.focus();
}

/**
 * Keeps the caret where its owner put it a moment ago, for the key that follows and when somebody
 * else's letters come in.
 */
export const OwnSelection = Extension.create({
  name: "ownSelection",
  // Before the binding, which remembers the selection when a change begins.
  priority: 1_100,
  addProseMirrorPlugins() {
    return [
      new Plugin({
        props: {
          handleDOMEvents: {
            // A key that follows close upon the one that moved the caret is meant for where it went.
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
              // What the writer does has been read already, and is being dispatched.
              if (doc._transaction?.origin !== ySyncPluginKey) readSelection(view);
            };
            doc.on("beforeAllTransactions", before);
            return () => doc.off("beforeAllTransactions", before);
          }),
      }),
    ];
  },
});
