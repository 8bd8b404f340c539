import type { Node, NodeType } from "@tiptap/pm/model";
import { Selection } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { moveBlocks } from "./block-moves";
import type { BlockRange, OthersWrite } from "./block-moves";
import { blockAtHeight } from "./block-place";

/** The position at which a dragged block would land, and the line that shows it, in viewport px. */
export type Landing = { target: number; line: { top: number; left: number; width: number } };

const isItem = ({ name }: NodeType) => name === "listItem" || name === "taskItem";

/** Whether a position accepts a block: an item within a list, any other block between blocks. */
function mayStand({ doc }: EditorState, target: number, block: Node): boolean {
  const $target = doc.resolve(target);
  const index = $target.index();
  if (isItem(block.type) && $target.depth === 0) return true;
  return $target.parent.canReplaceWith(index, index, block.type);
}

/** Returns where a dragged block would land at a viewport point, or null at its current place. */
export function landingAt(view: EditorView, from: number, x: number, y: number): Landing | null {
  const { state } = view;
  const block = state.doc.nodeAt(from);
  let at = blockAtHeight(view, x, y);
  if (block === null || at === null) return null;
  // Beside a list item that does not accept the block, the block lands beside the whole list.
  if (!mayStand(state, at, block)) at = state.doc.resolve(at).before(1);
  const element = view.nodeDOM(at);
  const beside = state.doc.nodeAt(at);
  if (!(element instanceof HTMLElement) || beside === null) return null;
  const { top, bottom, left, width } = element.getBoundingClientRect();
  const isAbove = y < (top + bottom) / 2;
  const target = isAbove ? at : at + beside.nodeSize;
  if (target >= from && target <= from + block.nodeSize) return null;
  return { target, line: { top: isAbove ? top - 4 : bottom + 2, left, width } };
}

/** Moves a block to its drop target. Returns null if the target does not accept the block. */
export function landed(
  state: EditorState,
  { from, to }: BlockRange,
  target: number,
  others: OthersWrite,
): Transaction | null {
  const { doc, tr } = state;
  const block = doc.nodeAt(from);
  const $from = doc.resolve(from);
  if (block === null || !mayStand(state, target, block)) return null;
  if (doc.resolve(target).sameParent($from)) return moveBlocks(state, { from, to }, target, others);
  const { type, attrs } = $from.parent;
  const isAlone = isItem(block.type) && doc.resolve(target).depth === 0;
  tr.insert(target, isAlone ? type.create(attrs, block) : block);
  const [begin, end] = [tr.mapping.map(from), tr.mapping.map(to)];
  tr.deleteRange(begin, end);
  const inside = tr.mapping.slice(1).map(target) + 1;
  return tr.setSelection(Selection.near(tr.doc.resolve(inside))).scrollIntoView();
}
