import type { Element } from "hast";
import { styleOf } from "./styles";
import {
  attribute,
  element,
  found,
  has,
  isBlank,
  isElement,
  rewritten,
  textNode,
  without,
  wordsIn,
} from "./tree";
import type { Markup } from "./tree";

/** A Word list item: a paragraph with its level, and its bullet or number as words. */
type Item = {
  level: number;
  list: string;
  tag: "ol" | "ul";
  start: number;
  children: readonly Markup[];
};

const isSign = (node: Markup) =>
  isElement(node) && has(node, "style") && styleOf(node).get("mso-list") === "ignore";

/**
 * Splits an item into its sign and the rest. Where Word does not mark the sign, conditional
 * comments do.
 */
function withoutSign(paragraph: Element): { sign: string; rest: Element } | null {
  const marker = found(paragraph, isSign);
  if (marker !== null) return { sign: wordsIn(marker), rest: without(paragraph, isSign) };
  const marks = paragraph.children.map((node) =>
    node.type === "comment" ? node.value.trim().toLowerCase() : "",
  );
  const from = marks.indexOf("[if !supportlists]");
  const to = marks.indexOf("[endif]", from + 1);
  if (from < 0 || to < 0) return null;
  const between = paragraph.children.slice(from, to);
  const children = [...paragraph.children.slice(0, from), ...paragraph.children.slice(to + 1)];
  return { sign: between.map(wordsIn).join(""), rest: { ...paragraph, children } };
}

function ofDesktop(paragraph: Element): Item | null {
  const listStyle = has(paragraph, "style") ? styleOf(paragraph).get("mso-list") : undefined;
  const [, list, level] = /^(l\d{1,9})\s+level(\d{1,9})/.exec(listStyle ?? "") ?? [];
  const found = list === undefined ? null : withoutSign(paragraph);
  if (list === undefined || found === null) return null;
  const sign = found.sign.trim();
  // The checkbox is parsed later, from the item's words.
  const box = /^[☐☑☒]/u.test(sign) ? [textNode(`${sign} `)] : [];
  return {
    level: Number(level),
    list,
    tag: /^\(?\w{1,9}[.)]/.test(sign) ? "ol" : "ul",
    start: Number.parseInt(sign, 10) || 1,
    children: [element("p", [...box, ...found.rest.children])],
  };
}

/** Returns an item that Word for the web wrote as a separate list. */
function ofBrowser(list: Element): Item | null {
  const children = list.children.filter((node) => node.type !== "text" || !isBlank(node.value));
  const [item] = children;
  if (children.length !== 1 || !isElement(item) || !has(item, "data-aria-level")) return null;
  return {
    level: Number.parseInt(attribute(item, "data-aria-level"), 10) || 1,
    list: attribute(item, "data-listid"),
    tag: list.tagName === "ol" ? "ol" : "ul",
    start: Number.parseInt(attribute(list, "start"), 10) || 1,
    children: item.children,
  };
}

function itemOf(node: Element): Item | null {
  if (node.tagName === "p") return ofDesktop(node);
  const { tagName, children } = node;
  if (tagName === "ul" || tagName === "ol") return ofBrowser(node);
  const isBox = /(?:^|\s)listcontainerwrapper(?:\s|$)/i.test(attribute(node, "class"));
  const [list] = children.filter(isElement);
  return isBox && isElement(list) ? itemOf(list) : null;
}

/** Whether a node is a paragraph without a sign that continues the previous item. */
function goesOn(node: Element): boolean {
  return node.tagName === "p" && /msolistparagraph|msolistcontinue/i.test(attribute(node, "class"));
}

function listsIn(siblings: readonly Markup[]): Markup[] {
  const made: Markup[] = [];
  let open: (Item & { element: Element })[] = [];
  for (const node of siblings) {
    const isBetween = !isElement(node) && (node.type === "comment" || isBlank(node.value));
    if (open.length > 0 && isBetween) continue;
    const item = isElement(node) ? itemOf(node) : null;
    const inner = open.at(-1)?.element.children.at(-1);
    if (item === null && isElement(node) && isElement(inner) && goesOn(node)) {
      inner.children.push(node);
      continue;
    }
    if (item === null) {
      open = [];
      made.push(node);
      continue;
    }
    const isDeeper = (one: Item) =>
      one.level > item.level ||
      (one.level === item.level && (one.list !== item.list || one.tag !== item.tag));
    open = open.filter((one) => !isDeeper(one));
    let last = open.at(-1);
    if (last === undefined || last.level < item.level) {
      const begun = element(item.tag, [], item.start === 1 ? {} : { start: String(item.start) });
      const into = last?.element.children.at(-1);
      (isElement(into) ? into.children : made).push(begun);
      last = { ...item, element: begun };
      open.push(last);
    }
    last.element.children.push(element("li", item.children));
  }
  return made;
}

function withLists(parent: Element): Element {
  const children = listsIn(parent.children);
  return {
    ...parent,
    children: children.map((node) => (isElement(node) ? withLists(node) : node)),
  };
}

/** Builds lists from Word's paragraphs, or from lists of one item, by the levels that they name. */
export function withListsOfWord(page: Element): Element {
  const isItem = (one: Element) =>
    has(one, "data-aria-level") || /mso-list/i.test(attribute(one, "style"));
  if (found(page, isItem) === null) return page;
  // A remaining sign is a heading's number, which belongs to the heading's words.
  return rewritten(withLists(page), (node) =>
    isSign(node) ? [textNode(`${wordsIn(node).trim()} `)] : null,
  );
}
