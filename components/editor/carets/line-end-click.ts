import { Extension } from "@tiptap/core";
import { Plugin, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/** Returns the range of the last word of a line, or its end twice if the line has no word. */
export function lastWord(line: string): [from: number, to: number] {
  const found = /[\p{L}\p{M}\p{N}]+(?:['’_-][\p{L}\p{M}\p{N}]+)*(?=[^\p{L}\p{N}]*$)/u.exec(line);
  const from = found?.index ?? line.length;
  return [from, from + (found?.[0].length ?? 0)];
}

/**
 * Returns the last word of the block that ends at a position, or null if the point is not behind
 * the text.
 */
function lastWordAt(
  view: EditorView,
  position: number,
  clientX: number,
  clientY: number,
): TextSelection | null {
  const $end = view.state.doc.resolve(position);
  const { parent } = $end;
  if (!parent.isTextblock || $end.parentOffset < parent.content.size) return null;
  const { left, right, top } = view.coordsAtPos(position, -1);
  const isBehind =
    getComputedStyle(view.dom).direction === "rtl" ? clientX < left : clientX > right;
  if (!isBehind || clientY < top) return null;
  const start = $end.start();
  const last = Math.max(0, parent.content.size - 200);
  const [from, to] = lastWord(parent.textBetween(last, parent.content.size, null, "\ufffc"));
  return TextSelection.create(view.state.doc, start + last + from, start + last + to);
}

/**
 * Makes a double click on the empty space behind a block's text select its last word. Browsers
 * select the end of the block, so typing would join the next block to it.
 */
export const LineEndClick = Extension.create({
  name: "lineEndClick",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleDOMEvents: {
          // Uses the browser's click count, because ProseMirror's count depends on when a busy page
          // handles the events.
          mousedown: (view, event) => {
            const { button, clientX, clientY, detail } = event;
            if (button !== 0 || detail !== 2) return false;
            const position = view.posAtCoords({ left: clientX, top: clientY })?.pos;
            if (position === undefined) return false;
            const selection = lastWordAt(view, position, clientX, clientY);
            if (selection === null) return false;
            event.preventDefault();
            view.dispatch(view.state.tr.setSelection(selection).setMeta("pointer", true));
            view.focus();
            return true;
          },
        },
      },
    }),
  ],
});
