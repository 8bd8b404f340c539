import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { movingDepth } from "./block-moves";

/** Returns the position before the block at a viewport height, or null without a block there. */
export function blockAtHeight(view: EditorView, x: number, y: number): number | null {
  const text = view.dom.getBoundingClientRect();
  const left = Math.max(text.left + 1, Math.min(x, text.right - 1));
  const found = view.posAtCoords({ left, top: y });
  if (found === null) return null;
  const { doc } = view.state;
  const $pos = doc.resolve(found.pos);
  if ($pos.depth > 0) return $pos.before(movingDepth($pos, $pos.depth));
  const at = found.inside >= 0 ? found.inside : found.pos;
  return doc.nodeAt(at) === null ? null : at;
}

/** A rectangle relative to the scroll container, which scrolling does not change. */
type Place = { top: number; left: number; width: number; height: number; line: number };

/** Returns a block's rectangle, with the distance from its top to the middle of its first line. */
export function placeOfBlock({ view, state }: Editor, at: number): Place | null {
  const element = view.nodeDOM(at);
  const scroller = view.dom.closest("main");
  if (!(element instanceof HTMLElement) || scroller === null) return null;
  const [box, page, text] = [element, scroller, view.dom].map((one) => one.getBoundingClientRect());
  if (!box || !page || !text) return null;
  const first = TextSelection.near(state.doc.resolve(Math.min(at + 1, state.doc.content.size)));
  const isText =
    first instanceof TextSelection && first.from < at + (state.doc.nodeAt(at)?.nodeSize ?? 0);
  const line = isText ? view.coordsAtPos(first.from) : box;
  return {
    top: box.top - page.top + scroller.scrollTop,
    left: text.left - page.left,
    width: text.width,
    height: box.height,
    line: (line.top + line.bottom) / 2 - box.top,
  };
}
