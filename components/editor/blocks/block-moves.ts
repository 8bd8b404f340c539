import type { ResolvedPos } from "@tiptap/pm/model";
import { type EditorState, NodeSelection, TextSelection, type Transaction } from "@tiptap/pm/state";

/** A block, or several beside each other: from where to where they stand in the text. */
export type BlockRange = { from: number; to: number };

/** The depth of the block that moves as one: the innermost list item around the selection, else the top block. */
export function movingDepth($from: ResolvedPos, shared: number): number {
  for (let depth = Math.min(shared, $from.depth); depth > 1; depth -= 1) {
    const { name } = $from.node(depth).type;
    if (name === "listItem" || name === "taskItem") return depth;
  }
  return Math.min(1, $from.depth);
}

/** The blocks that the selection stands in; null between two blocks. */
export function selectedBlocks({ selection }: EditorState): BlockRange | null {
  const { $from, $to } = selection;
  if (selection instanceof NodeSelection && selection.node.isBlock)
    return { from: selection.from, to: selection.to };
  if ($from.depth === 0) return null;
  const depth = movingDepth($from, $from.sharedDepth($to.pos));
  const end = $to.depth >= depth ? $to.after(depth) : $to.pos;
  return { from: $from.before(depth), to: end };
}

/** Whether somebody else's caret stands between two positions. */
export type OthersWrite = (from: number, to: number) => boolean;

const nobody: OthersWrite = () => false;

/** Which of two neighbours stays what it is: the one that somebody else writes in, else the larger. */
function staysAt(block: BlockRange, between: BlockRange, others: OthersWrite): boolean {
  const [inBlock, inBetween] = [
    others(block.from, block.to),
    others(between.from, between.to),
  ] as const;
  if (inBlock !== inBetween) return inBlock;
  return block.to - block.from >= between.to - between.from;
}

/**
 * Moves blocks to a place between two others of the same parent; null where they stand there. What
 * is taken out and put in is either the blocks or what stands between: what others write in stays
 * the block that it is, so that no letter on its way is lost.
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

/** Puts blocks in elsewhere and takes them out where they were. */
function relocate(tr: Transaction, { from, to }: BlockRange, target: number): void {
  // As nodes of their own: by the ones that it knows the binding tells which blocks have stayed.
  const copies = tr.doc
    .slice(from, to)
    .content.content.map(({ type, attrs, content, marks }) => type.create(attrs, content, marks));
  tr.insert(target, copies);
  const begin = target < from ? from + (to - from) : from;
  tr.delete(begin, begin + (to - from));
}

/** The same letters selected elsewhere, so many positions further on. */
function withSelectionMoved({ selection }: EditorState, tr: Transaction, by: number): Transaction {
  if (selection instanceof TextSelection)
    return tr.setSelection(
      TextSelection.create(tr.doc, selection.anchor + by, selection.head + by),
    );
  return selection instanceof NodeSelection
    ? tr.setSelection(NodeSelection.create(tr.doc, selection.from + by))
    : tr;
}

/** Moves the blocks of the selection up (-1) or down (1) past their neighbour; null when there is none. */
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

/** Puts a copy of the blocks of the selection below them, with the caret at the same place in the copy. */
export function duplicateBlock(state: EditorState): Transaction | null {
  const range = selectedBlocks(state);
  if (range === null) return null;
  const { from, to } = range;
  const tr = state.tr.insert(to, state.doc.slice(from, to).content);
  return withSelectionMoved(state, tr, to - from).scrollIntoView();
}

/** Takes the blocks of the selection away, and a list with its last item. */
export function deleteBlock(state: EditorState): Transaction | null {
  const range = selectedBlocks(state);
  return range && state.tr.deleteRange(range.from, range.to).scrollIntoView();
}

/** Puts an empty block below that of the selection, one of the same kind in a list, with the caret in it. */
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
