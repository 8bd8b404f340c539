import { TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { pastePlain } from "./markdown-paste";
import { boundedPaste } from "./bounded-paste";
import type { BoundedPaste } from "./bounded-paste";

type View = Pick<EditorView, "state" | "dispatch" | "posAtCoords">;

/** Moves the caret to a drop position. Returns false beside the text. */
function selectDrop(view: View, { clientX, clientY }: DragEvent): boolean {
  const at = view.posAtCoords({ left: clientX, top: clientY });
  if (at === null) return false;
  const { tr, doc } = view.state;
  view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(at.pos))));
  return true;
}

/**
 * Pastes or drops the plain text of content above the limits. Returns the sentence to show, with a
 * file of all content if it has too many lines. Returns null for any other paste.
 */
export function boundedAt(
  view: View,
  data: Pick<DataTransfer, "getData">,
  drop: DragEvent | null,
): BoundedPaste | null {
  const isCode = view.state.selection.$from.parent.type.spec.code === true;
  // A paste into code becomes plain text in one block.
  if (isCode && drop === null) return null;
  const bounded = boundedPaste(data.getData("text/html"), data.getData("text/plain"));
  if (bounded === null || "file" in bounded) return bounded;
  if (drop !== null && !selectDrop(view, drop)) return null;
  pastePlain(view, bounded.text);
  return bounded;
}
