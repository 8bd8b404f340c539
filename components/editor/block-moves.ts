import type { ResolvedPos } from "@tiptap/pm/model";
import { type EditorState, NodeSelection, TextSelection, type Transaction } from "@tiptap/pm/state";

/** The depth of the block that moves as one: the innermost list item around the selection, else the top block. */
function movingDepth($from: ResolvedPos, shared: number): number {
  for (let depth = Math.min(shared, $from.depth); depth > 1; depth -= 1) {
    const { name } = $from.node(depth).type;
    if (name === "listItem" || name === "taskItem") return depth;
  }
  return Math.min(1, $from.depth);
}

function movingRange(state: EditorState): { from: number; to: number; parent: ResolvedPos } | null {
  const { $from, $to } = state.selection;
  if ($from.depth === 0) {
    const node = state.selection instanceof NodeSelection ? state.selection.node : null;
    return node === null ? null : { from: $from.pos, to: $from.pos + node.nodeSize, parent: $from };
  }
  const depth = movingDepth($from, $from.sharedDepth($to.pos));
  const end = $to.depth >= depth ? $to.after(depth) : $to.pos;
  return { from: $from.before(depth), to: end, parent: state.doc.resolve($from.before(depth)) };
}

/**
 * Moves the block or list item of the selection up (-1) or down (1) past its neighbour; null when there is none.
 * The neighbour is what is taken out and put back, so that the caret and what others see of it stay in place.
 */
export function moveBlock(state: EditorState, direction: -1 | 1): Transaction | null {
  const range = movingRange(state);
  if (range === null) return null;
  const { from, to } = range;
  const neighbour =
    direction === -1 ? state.doc.resolve(from).nodeBefore : state.doc.resolve(to).nodeAfter;
  if (neighbour === null) return null;
  const { tr } = state;
  if (direction === -1) {
    tr.insert(to, neighbour).delete(from - neighbour.nodeSize, from);
  } else {
    tr.delete(to, to + neighbour.nodeSize).insert(from, neighbour);
  }
  return tr.scrollIntoView();
}

/** Puts a copy of the block or list item below it, with the caret at the same place in the copy. */
export function duplicateBlock(state: EditorState): Transaction | null {
  const range = movingRange(state);
  if (range === null) return null;
  const { from, to } = range;
  const tr = state.tr.insert(to, state.doc.slice(from, to).content);
  if (state.selection instanceof TextSelection) {
    const size = to - from;
    tr.setSelection(
      TextSelection.create(tr.doc, state.selection.anchor + size, state.selection.head + size),
    );
  }
  return tr.scrollIntoView();
}

/** Ticks or unticks the thing to do around the caret; null when there is none. */
export function toggleTask(
  state: EditorState,
  at: ResolvedPos = state.selection.$from,
): Transaction | null {
  for (let depth = at.depth; depth > 0; depth -= 1) {
    const node = at.node(depth);
    if (node.type.name === "taskItem") {
      return state.tr.setNodeMarkup(at.before(depth), undefined, {
        ...node.attrs,
        checked: node.attrs.checked !== true,
      });
    }
  }
  return null;
}
