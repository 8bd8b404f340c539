import type { Comment, Element, Text } from "hast";
import { escapedHtml } from "@/events/core/text/escaped-html";

/*
 * Another program's clipboard HTML as a tree. Elements have HTML's names and attributes, each
 * attribute as a string. The rules of this folder are functions of such trees and need no DOM.
 */
export type Markup = Element | Text | Comment;

/** The part of a DOM node from which the tree is built. */
type PageNode = {
  nodeType: number;
  nodeName: string;
  nodeValue: string | null;
  childNodes: ArrayLike<PageNode>;
  attributes?: ArrayLike<{ name: string; value: string }>;
};

/** The deepest level. Deeper elements give their words to their ancestor. */
const deepest = 100;

export function element(
  tagName: string,
  children: readonly Markup[],
  properties: Record<string, string> = {},
): Element {
  return { type: "element", tagName, properties, children: [...children] };
}

export const textNode = (value: string): Text => ({ type: "text", value });

export function isElement(node: Markup | undefined): node is Element {
  return node?.type === "element";
}

export const isBlank = (words: string) => !/\S/.test(words);

export function attribute({ properties }: Element, name: string): string {
  const value = properties[name];
  return typeof value === "string" ? value : "";
}

export function has({ properties }: Element, name: string): boolean {
  return properties[name] !== undefined;
}

/** Returns a node's text. */
export function wordsIn(node: Markup): string {
  if (node.type === "text") return node.value;
  return isElement(node) ? node.children.map(wordsIn).join("") : "";
}

/** Replaces nodes of a tree, descendants first. A null keeps the node unchanged. */
export function rewritten(
  parent: Element,
  by: (child: Markup, parent: Element) => readonly Markup[] | null,
): Element {
  const children: Markup[] = [];
  let isSame = true;
  for (const child of parent.children) {
    const inner = isElement(child) ? rewritten(child, by) : child;
    const others = by(inner, parent);
    isSame &&= inner === child && others === null;
    for (const node of others ?? [inner]) children.push(node);
  }
  // Unchanged trees are not copied, since they may be very large.
  return isSame ? parent : { ...parent, children };
}

/** Returns a tree without the unwanted nodes and their descendants. */
export function without(parent: Element, unwanted: (child: Markup) => boolean): Element {
  const kept = parent.children.filter((child) => !unwanted(child));
  const children = kept.map((child) => (isElement(child) ? without(child, unwanted) : child));
  const isSame =
    kept.length === parent.children.length &&
    children.every((child, at) => child === parent.children[at]);
  return isSame ? parent : { ...parent, children };
}

/** Returns the first element of a tree, in document order, that matches. */
export function found(parent: Element, isIt: (child: Element) => boolean): Element | null {
  for (const child of parent.children) {
    if (!isElement(child)) continue;
    const one = isIt(child) ? child : found(child, isIt);
    if (one !== null) return one;
  }
  return null;
}

function childrenOf({ childNodes }: PageNode, depth: number): Markup[] {
  return Array.from(childNodes).flatMap((node): Markup[] => {
    if (node.nodeType === 3) return [textNode(node.nodeValue ?? "")];
    if (node.nodeType === 8) return [{ type: "comment", value: node.nodeValue ?? "" }];
    if (node.nodeType !== 1) return [];
    const children = childrenOf(node, depth + 1);
    if (depth > deepest) return children;
    const attributes = Array.from(node.attributes ?? []).map(({ name, value }) => [name, value]);
    return [element(node.nodeName.toLowerCase(), children, Object.fromEntries(attributes))];
  });
}

/** Returns a page's tree, without the attributes of its root element. */
export function treeOf(page: PageNode): Element {
  return element("body", childrenOf(page, 0));
}

const childless = new Set(["br", "hr", "img", "input", "wbr"]);

/** Serializes a tree as HTML. */
export function htmlOf(node: Markup): string {
  if (node.type === "text") return escapedHtml(node.value);
  if (!isElement(node)) return "";
  const attributes = Object.entries(node.properties)
    .filter(([name, value]) => typeof value === "string" && /^[a-z][a-z-]*$/.test(name))
    .map(([name, value]) => ` ${name}="${escapedHtml(String(value))}"`);
  const open = `<${node.tagName}${attributes.join("")}>`;
  if (childless.has(node.tagName)) return open;
  return `${open}${node.children.map(htmlOf).join("")}</${node.tagName}>`;
}
