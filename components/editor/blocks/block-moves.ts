import type { ResolvedPos } from "@tiptap/pm/model";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";

/** The positions of one block, or of several adjacent blocks. */
export type BlockRange = { from: number; to: number };

/** Returns the depth of the block to move: the innermost list item, or else the top block. */
export function movingDepth($from: ResolvedPos, shared: number): number {
  for (let depth = Math.min(shared, $from.depth); depth > 1; depth -= 1) {
    const { name } = $from.node(depth).type;
    if (name === "listItem" || name === "taskItem") return depth;
  }
  return Math.min(1, $from.depth);
}

/** Returns the blocks that the selection spans, or null between two blocks. */
export function selectedBlocks({ selection }: EditorState): BlockRange | null {
  const { $from, $to } = selection;
  if (selection instanceof NodeSelection && selection.node.isBlock)
    return { from: selection.from, to: selection.to };
  if ($from.depth === 0) return null;
  const depth = movingDepth($from, $from.sharedDepth($to.pos));
  const end = $to.depth >= depth ? $to.after(depth) : $to.pos;
  return { from: $from.before(depth), to: end };
}

/** Whether another person's caret is between two positions. */
export type OthersWrite = (from: number, to: number) => boolean;

const nobody: OthersWrite = () => false;

/**
 * Whether `block` keeps its identity in a swap. The side in which another person writes keeps it,
 * or else the larger side.
 */
function staysAt(block: BlockRange, between: BlockRange, others: OthersWrite): boolean {
  const [inBlock, inBetween] = [
    others(block.from, block.to),
    others(between.from, between.to),
  ] as const;
  if (inBlock !== inBetween) return inBlock;
  return block.to - block.from >= between.to - between.from;
}

/**
 * Moves blocks between two siblings. Returns null if they are already there. Either the blocks or
 * their neighbours are deleted and inserted again. The side in which another person writes stays in
 * place, so that no letter in transit is lost.
 */
export function moveBlocks(
  state: EditorState,
  { from, to }: BlockRange,
  target: number,
  others: OthersWrite = nobody,
): Transaction | null {
  if (target >= from && target <= to) return null;
  const between = target < from ? { from: target, to: from } : { from: to, to: target };
  const { tr } = state;
  if (staysAt({ from, to }, between, others)) relocate(tr, between, target < from ? to : from);
  else {
    relocate(tr, { from, to }, target);
    const { selection } = state;
    if (selection.from >= from && selection.to <= to)
      withSelectionMoved(state, tr, target < from ? target - from : target - to);
  }
  return tr.scrollIntoView();
}

/** Inserts blocks at a target and deletes the originals. */
function relocate(tr: Transaction, { from, to }: BlockRange, target: number): void {
  // Creates new node objects, because the binding recognises unmoved blocks by identity.
  const copies = tr.doc
    .slice(from, to)
    .content.content.map(({ type, attrs, content, marks }) => type.create(attrs, content, marks));
  tr.insert(target, copies);
  const begin = target < from ? from + (to - from) : from;
  tr.delete(begin, begin + (to - from));
}

/** Moves the selection by a number of positions. */
function withSelectionMoved({ selection }: EditorState, tr: Transaction, by: number): Transaction {
  if (selection instanceof TextSelection)
    return tr.setSelection(
      TextSelection.create(tr.doc, selection.anchor + by, selection.head + by),
    );
  return selection instanceof NodeSelection
    ? tr.setSelection(NodeSelection.create(tr.doc, selection.from + by))
    : tr;
}

/** Moves the selected blocks up (-1) or down (1) past their neighbour. Null without a neighbour. */
export function moveBlock(
  state: EditorState,
  direction: -1 | 1,
  others: OthersWrite = nobody,
): Transaction | null {
  const range = selectedBlocks(state);
  if (range === null) return null;
  const neighbour =
    direction === -1
      ? state.doc.resolve(range.from).nodeBefore
      : state.doc.resolve(range.to).nodeAfter;
  if (neighbour === null) return null;
  const target = direction === -1 ? range.from - neighbour.nodeSize : range.to + neighbour.nodeSize;
  return moveBlocks(state, range, target, others);
}

/** Duplicates the selected blocks below, with the caret at the same place in the copy. */
export function duplicateBlock(state: EditorState): Transaction | null {
  const range = selectedBlocks(state);
  if (range === null) return null;
  const { from, to } = range;
  const tr = state.tr.insert(to, state.doc.slice(from, to).content);
  return withSelectionMoved(state, tr, to - from).scrollIntoView();
}

/** Deletes the selected blocks. A list is deleted with its last item. */
export function deleteBlock(state: EditorState): Transaction | null {
  const range = selectedBlocks(state);
  return range && state.tr.deleteRange(range.from, range.to).scrollIntoView();
}

/**
 * Adds an empty block below the selected one and puts the caret in it. In a list, the block is an
 * item of the same kind.
 */
export function addBlockBelow(state: EditorState): Transaction | null {
  const range = selectedBlocks(state);
  if (range === null) return null;
  const { schema, tr, doc, selection } = state;
  const block = doc.nodeAt(range.from);
  const { $from } = selection;
  const isEmpty = block?.type === schema.nodes.paragraph && block?.content.size === 0;
  if (isEmpty && $from.parent === block) return tr.scrollIntoView();
  const paragraph = schema.node("paragraph");
  const { name } = block?.type ?? {};
  const added =
    name === "listItem" || name === "taskItem" ? schema.node(name, null, paragraph) : paragraph;
  tr.insert(range.to, added);
  const inside = range.to + (added === paragraph ? 1 : 2);
  return tr.setSelection(TextSelection.create(tr.doc, inside)).scrollIntoView();
}

/** Toggles the task around the caret. Returns null outside a task. */
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
