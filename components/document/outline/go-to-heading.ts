import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";

const below = 80;

/** Scrolls a heading to the top of the page and moves the caret into it. */
export function goToHeading({ view, state, isEditable }: Editor, at: number): void {
  if (state.doc.nodeAt(at) === null) return;
  view.dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(at + 1))));
  if (isEditable) view.focus();
  else view.dom.focus({ preventScroll: true });
  const heading = view.nodeDOM(at);
  const scroller = view.dom.closest("main");
  if (!(heading instanceof Element) || scroller === null) return;
  const top = heading.getBoundingClientRect().top - scroller.getBoundingClientRect().top - below;
  scroller.scrollBy({ top, behavior: "instant" });
}
