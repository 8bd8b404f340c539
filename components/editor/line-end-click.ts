import { Extension } from "@tiptap/core";
import { Plugin, TextSelection } from "@tiptap/pm/state";

/** Where the last word of a line stands in it; its end twice where there is none. */
export function lastWord(line: string): [from: number, to: number] {
  const found = /[\p{L}\p{M}\p{N}]+(?:['’_-][\p{L}\p{M}\p{N}]+)*(?=[^\p{L}\p{N}]*$)/u.exec(line);
  const from = found?.index ?? line.length;
  return [from, from + (found?.[0].length ?? 0)];
}

/**
 * A double click on the empty room behind the words of a block selects the last of them. A browser
 * selects the end of the block, so that what is typed then joins the next one to it.
 */
export const LineEndClick = Extension.create({
  name: "lineEndClick",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleDoubleClick: (view, position, { clientX, clientY }) => {
          const $end = view.state.doc.resolve(position);
          const { parent } = $end;
          if (!parent.isTextblock || $end.parentOffset < parent.content.size) return false;
          const { left, right, top } = view.coordsAtPos(position, -1);
          const isRight =
            getComputedStyle(view.dom).direction === "rtl" ? clientX < left : clientX > right;
          if (!isRight || clientY < top) return false;
          const start = $end.start();
          const last = Math.max(0, parent.content.size - 200);
          const [from, to] = lastWord(
            parent.textBetween(last, parent.content.size, null, "\ufffc"),
          );
          const selection = TextSelection.create(
            view.state.doc,
            start + last + from,
            start + last + to,
          );
          view.dispatch(view.state.tr.setSelection(selection).setMeta("pointer", true));
          view.focus();
          return true;
        },
      },
    }),
  ],
});
