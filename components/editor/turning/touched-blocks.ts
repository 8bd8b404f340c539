import type { Node, ResolvedPos } from "@tiptap/pm/model";
import type { Selection } from "@tiptap/pm/state";

/** A range of the text. */
export type Span = { from: number; to: number };

const holders = new Set(["doc", "tableCell", "tableHeader", "blockquote"]);
const itemsOfLists: Record<string, string> = {
  bulletList: "listItem",
  orderedList: "listItem",
  taskList: "taskItem",
};

export const isItem = ({ type }: Node) => type.name === "listItem" || type.name === "taskItem";
export const isList = ({ type }: Node) => itemsOfLists[type.name] !== undefined;
export const isCell = ({ type }: Node) => type.name === "tableCell" || type.name === "tableHeader";
export const isQuote = ({ type }: Node) => type.name === "blockquote";

/** Returns the item type of a list type. */
export function itemOf(list: string): string {
  const item = itemsOfLists[list];
  if (item === undefined) throw new Error(`${list} is not a list`);
  return item;
}

/** Returns the depth of the nearest document, cell or quotation that contains both positions. */
export function holderDepth($from: ResolvedPos, to: number): number {
  for (let depth = $from.sharedDepth(to); depth > 0; depth -= 1)
    if (holders.has($from.node(depth).type.name)) return depth;
  return 0;
}

/**
 * Returns the positions of the text blocks that a span touches. A table inside the span is skipped,
 * so that turning the blocks around it does not turn its cells.
 */
export function textBlocksIn(doc: Node, { from, to }: Span): number[] {
  const $from = doc.resolve(from);
  const depth = holderDepth($from, to);
  const holder = $from.node(depth);
  const start = $from.start(depth);
  const blocks: number[] = [];
  holder.nodesBetween(from - start, to - start, (node, offset) => {
    if (node.isTextblock) blocks.push(start + offset);
    return !node.isTextblock && node.type.name !== "table";
  });
  return blocks;
}

/** Returns the spans of a selection: a single span, or a span for each selected cell. */
export const spansOf = ({ ranges }: Selection): Span[] =>
  ranges.map(({ $from, $to }) => ({ from: $from.pos, to: $to.pos }));

/** Returns the depth of the list item that a text block begins, or null if it begins none. */
export function itemBegunAt($block: ResolvedPos): number | null {
  const depth = $block.depth - 1;
  return depth > 0 && isItem($block.node(depth)) && $block.index(depth) === 0 ? depth : null;
}
