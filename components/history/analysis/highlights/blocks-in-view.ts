import type { EditorView } from "@tiptap/pm/view";
import type { Stretch } from "@/components/editor/carets/tints";
import { firstWhere } from "@/events/core/binary-search";

/**
 * Returns the visible part of a text. On phones the page itself scrolls, elsewhere the element
 * around the text.
 */
function frameOf(element: HTMLElement): { top: number; bottom: number } {
  const main = element.closest("main")?.getBoundingClientRect();
  return {
    top: Math.max(0, main?.top ?? 0),
    bottom: Math.min(innerHeight, main?.bottom ?? innerHeight),
  };
}

/**
 * Returns the index of the first stacked child whose top or bottom edge is below a height, or the
 * number of children if there is none.
 */
function firstBelow({ children }: HTMLElement, side: "top" | "bottom", height: number): number {
  return firstWhere(0, children.length, (index) => {
    const box = children[index]?.getBoundingClientRect();
    return !box || box[side] > height;
  });
}

/** Returns the visible blocks of a text and those within `screens` screens above and below. */
export function blocksInView(view: EditorView, screens: number): Stretch {
  const { dom, state } = view;
  const frame = frameOf(dom);
  const around = (frame.bottom - frame.top) * screens;
  const first = firstBelow(dom, "bottom", frame.top - around);
  const last = firstBelow(dom, "top", frame.bottom + around) - 1;
  const placeOf = (index: number) => {
    const element = dom.children[index];
    return element ? state.doc.resolve(view.posAtDOM(element, 0)) : null;
  };
  const [begin, end] = [placeOf(first), placeOf(Math.max(first, last))];
  if (!begin || !end) return { from: 0, to: 0 };
  return {
    from: begin.depth > 0 ? begin.before(1) : begin.pos,
    to: end.depth > 0 ? end.after(1) : end.pos + (end.nodeAfter?.nodeSize ?? 0),
  };
}
