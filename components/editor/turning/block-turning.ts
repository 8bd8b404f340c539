import { NodeRange } from "@tiptap/pm/model";
import type { ResolvedPos } from "@tiptap/pm/model";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import {
  holderDepth,
  isCell,
  isItem,
  isList,
  isQuote,
  itemBegunAt,
  spansOf,
  textBlocksIn,
} from "./touched-blocks";
import type { Span } from "./touched-blocks";
import { retype, takeOut, takeOutItem, takeOutOfQuote, wrapAsItem } from "./turning-steps";

/** The kinds that a block can be turned into, by the ids of the block menu. */
export type BlockKindId =
  | "text"
  | "heading-1"
  | "heading-2"
  | "heading-3"
  | "bullets"
  | "numbers"
  | "tasks"
  | "quote"
  | "code";

type TextBlock = { name: string; attrs: Record<string, unknown> | null };

const heading = (level: number): TextBlock => ({ name: "heading", attrs: { level } });
const textBlocks: Partial<Record<BlockKindId, TextBlock>> = {
  text: { name: "paragraph", attrs: null },
  "heading-1": heading(1),
  "heading-2": heading(2),
  "heading-3": heading(3),
  code: { name: "codeBlock", attrs: null },
};
const lists: Partial<Record<BlockKindId, string>> = {
  bullets: "bulletList",
  numbers: "orderedList",
  tasks: "taskList",
};

/** Returns the current position of a text block that is being turned. */
type Turning = () => ResolvedPos;

/** The text blocks to turn within one holder. The holder's content begins at `holder`. */
type Turned = { blocks: readonly Turning[]; holder: number };

/** Tracks a block through the later steps of a transaction. */
function following(tr: Transaction, block: number): Turning {
  let at = block + 1;
  let seen = tr.mapping.maps.length;
  return () => {
    at = tr.mapping.slice(seen).map(at, -1);
    seen = tr.mapping.maps.length;
    return tr.doc.resolve(at);
  };
}

/** Returns the depth of the node whose content begins at a position. */
function depthOf($block: ResolvedPos, start: number): number {
  let depth = $block.depth;
  while (depth > 0 && $block.start(depth) !== start) depth -= 1;
  return depth;
}

/** Returns the children of a holder, from that of the first block to that of the last block. */
function childrenBetween($first: ResolvedPos, $last: ResolvedPos, holder: number): NodeRange {
  const depth = depthOf($first, holder);
  const { doc } = $first;
  const [from, to] = [$first.before(depth + 1), $last.after(depth + 1)];
  return new NodeRange(doc.resolve(from), doc.resolve(to), depth);
}

/** Whether another turned block begins the item that contains this block. */
function goesOnTurnedItem($block: ResolvedPos, blocks: readonly Turning[]): boolean {
  for (let depth = $block.depth - 1; depth > 0; depth -= 1) {
    if (!isItem($block.node(depth))) continue;
    const start = $block.start(depth);
    return $block.index(depth) > 0 && blocks.some((at) => at().before() === start);
  }
  return false;
}

function turnToItem(tr: Transaction, at: Turning, { blocks, holder }: Turned, list: string): void {
  if (goesOnTurnedItem(at(), blocks)) return;
  retype(tr, at(), "paragraph");
  const $block = at();
  const item = itemBegunAt($block);
  const isQuoted = ($at: ResolvedPos, depth: number) =>
    isQuote($at.node(depth)) && $at.start(depth) !== holder;
  if (item !== null && $block.node(item - 1).type.name === list && !isQuoted($block, item - 2))
    return;
  const more = item === null ? 0 : $block.node(item).childCount - 1;
  if (item !== null) takeOutItem(tr, $block, item);
  let $out = at();
  for (; isQuoted($out, $out.depth - 1); $out = at())
    takeOutOfQuote(tr, $out, $out.depth - 1, more);
  const parent = $out.depth - 1;
  const [start, end] = [$out.before(), $out.posAtIndex($out.index(parent) + 1 + more, parent)];
  wrapAsItem(tr, new NodeRange(tr.doc.resolve(start), tr.doc.resolve(end), parent), list);
}

/** Quotes the turned items of a list outside the list. Adjacent items share a quotation. */
function quoteItems(tr: Transaction, { blocks, holder }: Turned, wrap: (range: NodeRange) => void) {
  let end: number | null = null;
  for (const at of blocks) {
    takeOut(tr, at, holder);
    const $block = at();
    const start = $block.before();
    const parent = $block.depth - 1;
    wrap(new NodeRange(tr.doc.resolve(start), tr.doc.resolve($block.after()), parent));
    if (end === start) tr.join(start);
    const $quoted = at();
    end = $quoted.after($quoted.depth - 1);
  }
}

function turnToQuote(tr: Transaction, turned: Turned): void {
  const { blocks, holder } = turned;
  const [first, last] = [blocks[0], blocks.at(-1)];
  const type = tr.doc.type.schema.nodes.blockquote;
  if (!first || !last || !type) return;
  const wrap = (range: NodeRange) => tr.wrap(range, [{ type }]);
  const { parent, startIndex, endIndex } = childrenBetween(first(), last(), holder);
  const only = endIndex - startIndex === 1 ? parent.child(startIndex) : null;
  if (only !== null && isQuote(only)) return;
  if (only !== null && isList(only)) {
    quoteItems(tr, turned, wrap);
    return;
  }
  // Several blocks share one quotation. Blocks that are already quoted leave their own first.
  for (const at of blocks)
    for (let $block = at(); ; $block = at()) {
      const depth = depthOf($block, holder) + 1;
      if (depth >= $block.depth || !isQuote($block.node(depth))) break;
      takeOutOfQuote(tr, $block, depth);
    }
  wrap(childrenBetween(first(), last(), holder));
}

function isOfKind($block: ResolvedPos, kind: BlockKindId): boolean {
  const [textBlock, list] = [textBlocks[kind], lists[kind]];
  const item = itemBegunAt($block);
  if (list !== undefined) return item !== null && $block.node(item - 1).type.name === list;
  const type = textBlock && $block.doc.type.schema.nodes[textBlock.name];
  return item === null && type !== undefined && $block.parent.hasMarkup(type, textBlock?.attrs);
}

/** Removes the quotation around a span. Returns false if there is none. */
function unquote(tr: Transaction, { from, to }: Span): boolean {
  const $from = tr.doc.resolve(from);
  for (let depth = $from.sharedDepth(to); depth > 0; depth -= 1) {
    if (isCell($from.node(depth))) return false;
    if (!isQuote($from.node(depth))) continue;
    const $to = tr.doc.resolve(to);
    if ($from.depth === depth || $to.depth === depth) return false;
    const ends = [$from.before(depth + 1), $to.after(depth + 1)] as const;
    tr.lift(new NodeRange(tr.doc.resolve(ends[0]), tr.doc.resolve(ends[1]), depth), depth - 1);
    return true;
  }
  return false;
}

/** Returns the blocks and, for each item of another list, all items of that list. */
function withWholeLists({ doc }: EditorState, blocks: readonly number[]): number[] {
  const all = new Set(blocks);
  for (const block of blocks) {
    const $block = doc.resolve(block + 1);
    const item = itemBegunAt($block);
    if (item === null) continue;
    const list = $block.node(item - 1);
    list.forEach((_item, offset) => all.add($block.start(item - 1) + offset + 1));
  }
  return [...all].sort((one, other) => one - other);
}

function turnSpan(
  tr: Transaction,
  state: EditorState,
  span: Span,
  kind: BlockKindId,
  { toggles = false, wholeLists = false }: TurnOptions,
): void {
  const { doc } = state;
  const $from = doc.resolve(span.from);
  const touched = textBlocksIn(doc, span);
  if (kind === "quote" && toggles && unquote(tr, span)) return;
  const isOff =
    toggles && touched.length > 0 && touched.every((at) => isOfKind(doc.resolve(at + 1), kind));
  const list = isOff ? undefined : lists[kind];
  const textBlock = isOff ? textBlocks.text : textBlocks[kind];
  const found = list !== undefined && wholeLists ? withWholeLists(state, touched) : touched;
  const holder = $from.start(holderDepth($from, span.to));
  const turned = { blocks: found.map((block) => following(tr, block)), holder };
  if (kind === "quote" && !isOff) turnToQuote(tr, turned);
  for (const at of turned.blocks)
    if (list !== undefined) turnToItem(tr, at, turned, list);
    else if (textBlock !== undefined) {
      takeOut(tr, at, holder);
      retype(tr, at(), textBlock.name, textBlock.attrs);
    }
}

type TurnOptions = {
  /** Whether blocks that already are of the kind turn back into text. */
  toggles?: boolean;
  /** Whether an item turns its whole list. */
  wholeLists?: boolean;
  /** The span to turn instead of the selection. */
  span?: Span;
};

/**
 * Turns text blocks into another kind and keeps their words, order and nesting. Returns null if the
 * text does not change. Blocks that have no such kind, such as a table, an image or a rule, stay as
 * they are.
 */
export function turned(
  state: EditorState,
  kind: BlockKindId,
  options: TurnOptions = {},
): Transaction | null {
  const { tr } = state;
  const spans = options.span ? [options.span] : spansOf(state.selection);
  // From the last to the first, so that no span moves a later one.
  for (const span of spans.toSorted((one, other) => other.from - one.from))
    turnSpan(tr, state, span, kind, options);
  // Empty blocks keep their kind: Tiptap would turn a fully selected empty text into paragraphs.
  return tr.docChanged ? tr.setMeta("preventClearDocument", true).scrollIntoView() : null;
}
