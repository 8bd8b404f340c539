import type { Element } from "hast";
import { isOurs } from "./names";
import { attribute, element, found, has, isBlank, isElement, wordsIn } from "./tree";
import type { Markup } from "./tree";

/** Elements that only contain other elements and are not blocks themselves. */
const boxes = new Set(
  (
    "address article aside body center dd details dialog div dl fieldset figcaption figure footer " +
    "form header hgroup legend li main nav p section summary tbody td tfoot th thead tr"
  ).split(" "),
);
const headings = /^h[1-6]$/;
const own = new Set(["blockquote", "hr", "ol", "pre", "table", "ul"]);

export function isBlock({ tagName }: Element): boolean {
  return boxes.has(tagName) || own.has(tagName) || headings.test(tagName);
}

const isBreak = (node: Markup) => isElement(node) && node.tagName === "br";
/** Whether an element is inline content without letters. */
const isAtom = (one: Element) => isOurs(one);
const says = (nodes: readonly Markup[]) =>
  nodes.some(
    (node) =>
      !isBlank(wordsIn(node)) ||
      (isElement(node) && (isAtom(node) || found(node, isAtom) !== null)),
  );

function withoutEnds(nodes: readonly Markup[]): Markup[] {
  const isGap = (node: Markup) => isBreak(node) || !says([node]);
  const from = nodes.findIndex((node) => !isGap(node));
  return from < 0 ? [] : nodes.slice(from, nodes.findLastIndex((node) => !isGap(node)) + 1);
}

/** Splits a line of words into paragraphs: two line breaks end a paragraph. */
function paragraphsOf(line: readonly Markup[]): Markup[][] {
  let words: Markup[] = [];
  const paragraphs = [words];
  let breaks = 0;
  for (const node of line) {
    if (isBreak(node)) breaks += 1;
    else if (breaks === 0 || says([node])) {
      if (breaks === 1) words.push(element("br", []));
      if (breaks > 1) paragraphs.push((words = []));
      words.push(node);
      breaks = 0;
    }
  }
  return paragraphs.map(withoutEnds).filter(says);
}

/** Returns the content of a heading: words without blocks. */
function lineOf(nodes: readonly Markup[]): Markup[] {
  const line = nodes.flatMap((node): Markup[] => {
    if (!isElement(node) || !isBlock(node) || isOurs(node)) return [node];
    return [{ type: "text", value: " " }, ...lineOf(node.children)];
  });
  return withoutEnds(line);
}

/** Returns a heading's words, without bold if all of them are bold. */
function withoutBold(nodes: readonly Markup[]): Markup[] {
  const isBold = (node: Markup) =>
    isElement(node) &&
    (node.tagName === "strong" || (node.children.length === 1 && node.children.every(isBold)));
  const bare = (node: Markup): Markup[] => {
    if (!isElement(node)) return [node];
    const children = node.children.flatMap(bare);
    return node.tagName === "strong" ? children : [{ ...node, children }];
  };
  return nodes.every((node) => isBold(node) || isBreak(node) || isBlank(wordsIn(node)))
    ? nodes.flatMap(bare)
    : [...nodes];
}

/** Returns a list with items only. A list beside items is moved into the item above it. */
function listOf(list: Element): Element {
  const items: Element[] = [];
  for (const node of list.children) {
    if (isElement(node) && node.tagName === "li") {
      items.push({ ...node, children: [...node.children] });
      continue;
    }
    const last = items.at(-1);
    const isList = isElement(node) && /^(?:ul|ol)$/.test(node.tagName);
    if (isList && last !== undefined) last.children.push(node);
    else if (isList) for (const inner of listOf(node).children.filter(isElement)) items.push(inner);
    else if (says([node])) items.push(element("li", [node]));
  }
  const kept = ["start", "data-type"].filter((name) => has(list, name));
  const properties = Object.fromEntries(kept.map((name) => [name, attribute(list, name)]));
  return element(list.tagName, items.map(itemOf), properties);
}

function itemOf(item: Element): Element {
  const [first, ...rest] = blocksOf(item.children);
  const begins = first === undefined || (isElement(first) && /^(?:p|h[1-6])$/.test(first.tagName));
  const kept = ["data-type", "data-checked"].filter((name) => has(item, name));
  const properties = Object.fromEntries(kept.map((name) => [name, attribute(item, name)]));
  const paragraph = element("p", begins && isElement(first) ? first.children : []);
  const others = begins || first === undefined ? rest : [first, ...rest];
  return element("li", [paragraph, ...others], properties);
}

function cellOf(cell: Element): Element {
  const kept = ["colspan", "rowspan"].filter((name) => has(cell, name));
  const properties = Object.fromEntries(kept.map((name) => [name, attribute(cell, name)]));
  const blocks = blocksOf(cell.children);
  const bare = (block: Markup) =>
    isElement(block) && block.tagName === "p"
      ? { ...block, children: withoutBold(block.children) }
      : block;
  return element(cell.tagName, cell.tagName === "th" ? blocks.map(bare) : blocks, properties);
}

function tableOf(table: Element): Element {
  const rows = (part: Element): Element[] =>
    part.children.filter(isElement).flatMap((one) => {
      if (one.tagName !== "tr") return /^t(?:head|body|foot)$/.test(one.tagName) ? rows(one) : [];
      const cells = one.children.filter(isElement).filter(({ tagName }) => /^t[dh]$/.test(tagName));
      return cells.length === 0 ? [] : [element("tr", cells.map(cellOf))];
    });
  return element("table", [element("tbody", rows(table))]);
}

function blockOf(one: Element): Markup[] {
  if (isOurs(one) || one.tagName === "pre") return [one];
  if (one.tagName === "hr") return [element("hr", [])];
  if (one.tagName === "ul" || one.tagName === "ol") {
    const list = listOf(one);
    return list.children.length === 0 ? [] : [list];
  }
  if (one.tagName === "table") return [tableOf(one)];
  if (headings.test(one.tagName)) {
    const line = lineOf(one.children);
    const level = has(one, "data-level") ? { "data-level": attribute(one, "data-level") } : {};
    return says(line) ? [element(one.tagName, withoutBold(line), level)] : [];
  }
  const inner = blocksOf(one.children);
  if (one.tagName !== "blockquote") return inner;
  return inner.length === 0 ? [] : [element("blockquote", inner)];
}

/** Wraps mixed blocks and words as blocks. Pure separators are left out. */
function blocksOf(nodes: readonly Markup[]): Markup[] {
  const blocks: Markup[] = [];
  let line: Markup[] = [];
  const close = () => {
    for (const words of paragraphsOf(line)) blocks.push(element("p", words));
    line = [];
  };
  let list: Element | null = null;
  for (const node of nodes) {
    if (!isElement(node) || !(isBlock(node) || (isOurs(node) && node.tagName !== "a"))) {
      line.push(node);
      if (says([node])) list = null;
      continue;
    }
    close();
    if (node.tagName !== "li") {
      list = null;
      for (const block of blockOf(node)) blocks.push(block);
      continue;
    }
    // The items were copied without their list.
    if (list === null) blocks.push((list = element("ul", [])));
    list.children.push(itemOf(node));
  }
  close();
  return blocks;
}

/** Returns a page as a text's blocks. Words alone stay words, which pasting adds to a line. */
export function withBlocks(page: Element): Element {
  const { children } = page;
  const isLine = children.every(
    (node) => !isElement(node) || (!isBlock(node) && node.tagName !== "br"),
  );
  return { ...page, children: isLine ? children : blocksOf(children) };
}
