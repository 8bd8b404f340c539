import type { Node, ResolvedPos } from "@tiptap/pm/model";
import type { StepMap } from "@tiptap/pm/transform";
import { ContentString, XmlElement, XmlFragment, XmlText } from "yjs";

/** Stands for an inline node that is not text. */
const inlineNode = "\ufffc";

type Range = { from: number; to: number; newFrom: number; newTo: number };

/** A child of a textblock's element, with its range in the block. */
type Part = { type: unknown; from: number; to: number };

/** A textblock of the shared text before the edits are written to it. */
type Block = { element: XmlElement; parts: readonly Part[] };

/**
 * An edit in a block: the removed length, and the new words at both ends of its range. Unless an
 * inline node separates the ends, `head` is all of the new words. `joined` is the number of
 * following blocks that the edit joined to this one.
 */
type Edit = Block & {
  at: number;
  remove: number;
  head: string;
  tail: string;
  index: number;
  joined: number;
};

function rangesOf(map: StepMap): Range[] {
  const ranges: Range[] = [];
  map.forEach((from, to, newFrom, newTo) => ranges.push({ from, to, newFrom, newTo }));
  return ranges;
}

/**
 * Returns the element of the textblock around a position, or null if the shared text has another
 * node there.
 */
function elementAt(fragment: XmlFragment, $at: ResolvedPos): XmlElement | null {
  let type: unknown = fragment;
  for (let depth = 0; depth < $at.depth; depth += 1)
    type = type instanceof XmlFragment ? type.get($at.index(depth)) : null;
  return type instanceof XmlElement && type.nodeName === $at.parent.type.name ? type : null;
}

function lettersOf(text: XmlText): string {
  let letters = "";
  for (let item = text._start; item !== null; item = item.right)
    if (!item.deleted && item.content instanceof ContentString) letters += item.content.str;
  return letters;
}

function textOf(block: Node, from = 0, to = block.content.size): string {
  return block.textBetween(from, to, null, inlineNode);
}

/** Returns a textblock with its parts, or null if the shared text and the editor's text differ. */
function blockAt(fragment: XmlFragment, $at: ResolvedPos): Block | null {
  const element = elementAt(fragment, $at);
  if (element === null) return null;
  let said = "";
  const parts = element.toArray().map((type): Part => {
    const from = said.length;
    said += type instanceof XmlText ? lettersOf(type) : inlineNode;
    return { type, from, to: said.length };
  });
  return said === textOf($at.parent) ? { element, parts } : null;
}

/**
 * Returns the words at both ends of a range of a textblock. `tail` is empty unless an inline node
 * separates the ends.
 */
function endsOf(block: Node, from: number, to: number): Pick<Edit, "head" | "tail"> {
  const [head = "", ...more] = block.textBetween(from, to, null, inlineNode).split(inlineNode);
  return { head, tail: more.at(-1) ?? "" };
}

function editsOf(fragment: XmlFragment, before: Node, after: Node, map: StepMap): Edit[] {
  const edits: Edit[] = [];
  let [known, left]: [Block | null, XmlElement | null] = [null, null];
  let previous: Range | null = null;
  for (const range of rangesOf(map)) {
    const { from, to, newFrom, newTo } = range;
    const [$from, $to] = [before.resolve(from), before.resolve(to)];
    const [start, end] = [$from.start(), $from.end()];
    // A block that was retyped, replaced or deleted has no edit.
    const isOther: boolean = previous !== null && previous.from < start && previous.to >= start;
    previous = range;
    if (!$from.parent.isTextblock || isOther) continue;
    const $now = after.resolve(map.map(start, -1));
    if (!$now.parent.isTextblock || $now.parentOffset > 0) continue;
    if (known?.element !== elementAt(fragment, $from)) known = blockAt(fragment, $from);
    if (known === null || known.element === left) continue;
    // The content after a split is now in another block.
    const isSplit = newTo > $now.end();
    if (isSplit) left = known.element;
    const stop = Math.min(newTo, $now.end()) - $now.pos;
    const [depth, index] = [$from.depth, $from.index(-1)];
    const isBeyond = to > end && $to.parent.isTextblock;
    const isSibling = $to.depth === depth && $from.sharedDepth(to) === depth - 1;
    edits.push({
      ...known,
      ...endsOf($now.parent, newFrom - $now.pos, stop),
      at: from - start,
      remove: (isSplit ? end : Math.min(to, end)) - from,
      index,
      joined: isBeyond && isSibling && !isSplit ? $to.index(-1) - index : 0,
    });
    // The rest of the last block stays in its block, behind the last of the new lines.
    const last = isBeyond && isSplit ? blockAt(fragment, $to) : null;
    const $end = after.resolve(newTo);
    if (last === null || $end.parent.type !== $to.parent.type) continue;
    const { head, tail } = endsOf($end.parent, 0, $end.parentOffset);
    const words = tail === "" ? head : tail;
    edits.push({
      ...last,
      at: 0,
      remove: $to.parentOffset,
      head: "",
      tail: words,
      index,
      joined: 0,
    });
  }
  return edits;
}

/**
 * Writes the letters typed and deleted within textblocks to a shared text at their exact positions.
 * The binding compares a block's letters instead, and beside an equal letter it takes the wrong one
 * for new. All other changes are left to the binding. Returns the changed elements and texts.
 */
export function writeLetters(
  fragment: XmlFragment,
  before: Node,
  after: Node,
  map: StepMap,
): { elements: Set<XmlElement>; texts: Set<XmlText> } {
  const elements = new Set<XmlElement>();
  const texts = new Set<XmlText>();
  // Backwards, so that the positions before an edit have not moved.
  for (const edit of editsOf(fragment, before, after, map).reverse()) {
    const { element, parts, at, remove, index, joined } = edit;
    elements.add(element);
    if (joined > 0 && element.parent instanceof XmlFragment)
      element.parent.delete(index + 1, joined);
    const textParts = parts.flatMap(({ type, ...place }) =>
      type instanceof XmlText ? [{ type, ...place }] : [],
    );
    for (const { type, from, to } of textParts) {
      const [first, last] = [Math.max(at, from), Math.min(at + remove, to)];
      if (last <= first) continue;
      texts.add(type);
      type.delete(first - from, last - first);
    }
    // The binding sets the marks afterwards.
    const insert = (words: string, place: number) => {
      const part = textParts.find(({ from, to }) => from <= place && place <= to);
      if (words === "" || !part) return;
      texts.add(part.type);
      part.type.insert(Math.max(0, at - part.from), words);
    };
    insert(edit.tail, at + remove);
    insert(edit.head, at);
  }
  return { elements, texts };
}
