import type { Fragment, Node } from "@tiptap/pm/model";
import { Selection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { joinsStep } from "../undo/own-undo";

/** Maximum number of positions of a text that one transaction inserts. */
export const pieceSize = 60_000;

/** Returns the end of a piece that begins at `from`, which is never within a surrogate pair. */
function pieceEnd(block: Node, from: number): number {
  const end = from + pieceSize;
  if (end >= block.content.size) return block.content.size;
  const last = block.textBetween(end - 1, end).charCodeAt(0);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** Splits a text block longer than a piece into its first piece and the following words. */
function cutBlock(block: Node): { first: Node; rest: Fragment[] } {
  const begin = pieceEnd(block, 0);
  const rest: Fragment[] = [];
  for (let from = begin; from < block.content.size; from = pieceEnd(block, from))
    rest.push(block.content.cut(from, pieceEnd(block, from)));
  return { first: block.copy(block.content.cut(0, begin)), rest };
}

/**
 * Deletes the selection and splits the block at the caret. Returns the position between the blocks,
 * and whether an empty block follows.
 */
function splitAtCaret(view: Pick<EditorView, "state" | "dispatch">): {
  at: number;
  empty: boolean;
} {
  const tr = view.state.tr.deleteSelection().setMeta("paste", true);
  const { $from } = tr.selection;
  const { size } = $from.parent.content;
  const within = $from.parentOffset > 0 && $from.parentOffset < size;
  if (within) tr.split($from.pos);
  view.dispatch(tr);
  if (within) return { at: $from.pos + 1, empty: false };
  return { at: $from.parentOffset === 0 ? $from.before(1) : $from.after(1), empty: size === 0 };
}

/**
 * Pastes a long text in pieces. Each piece is a transaction and therefore an update of its own,
 * because one update for all of them would exceed the limit of an event. Undo reverts all pieces in
 * one step.
 */
export function pasteInPieces(
  view: Pick<EditorView, "state" | "dispatch">,
  content: Fragment,
): void {
  const { doc } = view.state;
  const { at, empty } = splitAtCaret(view);
  let position = at;
  let batch: Node[] = [];
  let size = 0;
  const insert = (at: number, what: Fragment | Node[]) => {
    const before = view.state.doc.content.size;
    const piece = view.state.tr.insert(at, what).setMeta("paste", true);
    view.dispatch(view.state.doc === doc ? piece : joinsStep(piece));
    return view.state.doc.content.size - before;
  };
  const flush = () => {
    if (batch.length > 0) position += insert(position, batch);
    batch = [];
    size = 0;
  };
  content.forEach((block) => {
    const { first, rest } = block.isTextblock ? cutBlock(block) : { first: block, rest: [] };
    batch.push(first);
    size += first.nodeSize;
    if (rest.length > 0 || size >= pieceSize) flush();
    for (const words of rest) position += insert(position - 1, words);
  });
  flush();
  const { tr } = view.state;
  // A paste replaces an empty line.
  if (empty) joinsStep(tr.delete(position, position + 2)).setMeta("paste", true);
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(position), -1)).scrollIntoView());
}
