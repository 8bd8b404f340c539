import { DOMParser, XMLSerializer } from "@xmldom/xmldom";

const wordSpace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** The deepest nesting. Word nests a few dozen elements; unwrapping is quadratic in the depth. */
const deepest = 400;

function checkDepth(tree: Document): void {
  let level = childrenOf(tree);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) throw new RangeError("Word XML is nested too deeply");
    level = level.flatMap(childrenOf);
  }
}

/**
 * Parses a part of a Word file. Throws if the text is not XML, and throws a RangeError if it nests
 * too deeply for recursion.
 */
export function xmlTree(text: string): Document {
  const broken = (message: string) => {
    throw new Error(message);
  };
  const errorHandler = { warning: () => undefined, error: broken, fatalError: broken };
  const tree = new DOMParser({ errorHandler }).parseFromString(text, "text/xml");
  checkDepth(tree);
  return tree;
}

export const xmlText = (tree: Document): string => new XMLSerializer().serializeToString(tree);

export function childrenOf(parent: Node): Element[] {
  const children: Element[] = [];
  for (let node = parent.firstChild; node !== null; node = node.nextSibling)
    // Node type 1 is an element.
    if (node.nodeType === 1) children.push(node as Element);
  return children;
}

/** Returns all elements of a tree in document order, as a snapshot. */
export function elementsOf(root: Node): Element[] {
  const found: Element[] = [];
  const waiting = childrenOf(root).toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    const children = childrenOf(next);
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const child = children[at];
      if (child) waiting.push(child);
    }
  }
  return found;
}

export const childOf = (parent: Node | null | undefined, name: string): Element | null =>
  (parent && childrenOf(parent).find(({ nodeName }) => nodeName === name)) || null;

export const valueOf = (one: Element | null): string | null => one?.getAttribute("w:val") || null;

/** Returns the nearest ancestor with one of these names. */
export function around(node: Node, ...names: string[]): Element | null {
  for (let at = node.parentNode; at !== null; at = at.parentNode)
    // An ancestor with one of Word's names is an element.
    if (names.includes(at.nodeName)) return at as Element;
  return null;
}

/** Whether a property such as w:vanish is on. */
export function isOn(properties: Element | null, name: string): boolean {
  const property = childOf(properties, name);
  return property !== null && !/^(?:0|false|off)$/.test(valueOf(property) ?? "");
}

export function wordsIn(root: Node): string {
  const words = /^(?:[wm]:t|a:t|w:delText)$/;
  return [root, ...elementsOf(root)]
    .filter(({ nodeName }) => words.test(nodeName))
    .map(({ textContent }) => textContent ?? "")
    .join("");
}

/** Creates a Word element by name, such as "w:br". */
export const elementOf = (tree: Document, name: string): Element =>
  tree.createElementNS(wordSpace, name);

/** Creates a run of words. */
export function runOf(tree: Document, words: string): Element {
  const run = elementOf(tree, "w:r");
  const text = elementOf(tree, "w:t");
  text.setAttribute("xml:space", "preserve");
  text.appendChild(tree.createTextNode(words));
  run.appendChild(text);
  return run;
}

/** Replaces an element by its content. */
export function unwrap(one: Element): void {
  while (one.firstChild) one.parentNode?.insertBefore(one.firstChild, one);
  one.parentNode?.removeChild(one);
}
