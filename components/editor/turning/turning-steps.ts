import { NodeRange } from "@tiptap/pm/model";
import type { ResolvedPos } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { pathOfTarget } from "@/events/content/document-address";
import { targetOf } from "@/events/content/document-link";
import { isQuote, itemBegunAt, itemOf } from "./touched-blocks";

/*
 * Steps that leave the words of a block in place (lift, wrap, join). The selection keeps its place
 * in the words, and undo keeps what others have written there since.
 */

/** Lifts the item that a block begins out of its list, which splits the list around the item. */
export function takeOutItem(tr: Transaction, $block: ResolvedPos, depth: number): void {
  const { doc } = tr;
  const list = $block.node(depth - 1);
  const before = $block.index(depth - 1);
  const rest = before < list.childCount - 1 ? $block.after(depth) : null;
  const content = new NodeRange(
    doc.resolve($block.start(depth)),
    doc.resolve($block.end(depth)),
    depth,
  );
  tr.lift(content, depth - 2);
  if (rest === null || before === 0 || list.type.name !== "orderedList") return;
  // The numbering continues after the item.
  const at = tr.mapping.slice(tr.mapping.maps.length - 1).map(rest, 1) - 1;
  if (tr.doc.nodeAt(at)?.type === list.type)
    tr.setNodeAttribute(at, "start", Number(list.attrs.start) + before);
}

/**
 * Lifts the child that contains a block, and the `more` children after it, out of the quotation at
 * `depth`.
 */
export function takeOutOfQuote(
  tr: Transaction,
  $block: ResolvedPos,
  depth: number,
  more = 0,
): void {
  const [from, to] = [
    $block.before(depth + 1),
    $block.posAtIndex($block.index(depth) + 1 + more, depth),
  ];
  tr.lift(new NodeRange(tr.doc.resolve(from), tr.doc.resolve(to), depth), depth - 1);
}

/**
 * Lifts a block out of the lists and quotations below its holder. A block that does not begin its
 * item stays in the item.
 */
export function takeOut(tr: Transaction, at: () => ResolvedPos, holder: number): void {
  for (;;) {
    const $block = at();
    const parent = $block.depth - 1;
    const item = itemBegunAt($block);
    if (item !== null) takeOutItem(tr, $block, item);
    else if (isQuote($block.node(parent)) && $block.start(parent) !== holder)
      takeOutOfQuote(tr, $block, parent);
    else return;
  }
}

/** Replaces links to documents with their addresses, because code contains plain text only. */
function spellLinks(tr: Transaction, $block: ResolvedPos): void {
  const start = $block.start();
  const found: { at: number; words: string }[] = [];
  $block.parent.forEach((node, offset) => {
    if (node.type.name !== "documentLink") return;
    const target = targetOf(node.attrs);
    found.push({ at: start + offset, words: target === null ? "" : pathOfTarget(target) });
  });
  for (const { at, words } of found.toReversed())
    if (words === "") tr.delete(at, at + 1);
    else tr.replaceWith(at, at + 1, tr.doc.type.schema.text(words));
}

/** Changes the type of the text block around a position. */
export function retype(
  tr: Transaction,
  $block: ResolvedPos,
  name: string,
  attrs: Record<string, unknown> | null = null,
): void {
  const type = tr.doc.type.schema.nodes[name];
  if (type === undefined || $block.parent.hasMarkup(type, attrs)) return;
  const inside = $block.start();
  if (name === "codeBlock") spellLinks(tr, $block);
  tr.setBlockType(inside, inside, type, attrs);
}

/** Wraps adjacent blocks as one list item, and joins it with adjacent lists of the same kind. */
export function wrapAsItem(tr: Transaction, range: NodeRange, list: string): void {
  const { nodes } = tr.doc.type.schema;
  const [listType, itemType] = [nodes[list], nodes[itemOf(list)]];
  if (!listType || !itemType) return;
  const { start } = range;
  tr.wrap(range, [{ type: listType }, { type: itemType }]);
  const end = start + (tr.doc.nodeAt(start)?.nodeSize ?? 0);
  if (tr.doc.resolve(end).nodeAfter?.type === listType) tr.join(end);
  if (tr.doc.resolve(start).nodeBefore?.type === listType) tr.join(start);
}
