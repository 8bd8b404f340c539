import { TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { pastePlain } from "./markdown-paste";
import { boundedPaste, type BoundedPaste } from "./bounded-paste";

type View = Pick<EditorView, "state" | "dispatch" | "posAtCoords">;

/** Puts the caret where something was dropped; false where that is beside the text. */
function selectDrop(view: View, { clientX, clientY }: DragEvent): boolean {
  const at = view.posAtCoords({ left: clientX, top: clientY });
  if (at === null) return false;
  const { tr, doc } = view.state;
  view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(at.pos))));
  return true;
}

/**
 * Pastes or drops the words of what is more than a text takes. Answers the sentence to say, and the
 * file that holds it all where it has too many lines; null for every other paste.
 */
export function boundedAt(
  view: View,
  data: Pick<DataTransfer, "getData">,
  drop: DragEvent | null,
): BoundedPaste | null {
  const isCode = view.state.selection.$from.parent.type.spec.code === true;
  // Code takes the words alone, in one block.
  if (isCode && drop === null) return null;
  const bounded = boundedPaste(data.getData("text/html"), data.getData("text/plain"));
  if (bounded === null || "file" in bounded) return bounded;
  if (drop !== null && !selectDrop(view, drop)) return null;
  pastePlain(view, bounded.text);
  return bounded;
}
