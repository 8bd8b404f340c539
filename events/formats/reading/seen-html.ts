import type { Element, ElementContent, Root, RootContent } from "hast";
import { styleOf } from "../foreign/styles";

/** Elements that no reader of a page sees. They hold no words of the text. */
const unseen = new Set(
  "area base basefont bgsound col colgroup datalist head link meta noembed noframes param script source style template title track".split(
    " ",
  ),
);
/** Elements that show content other than text, and the kind under which each is counted. */
const shows = new Map([
  ["audio", "videos and sounds"],
  ["video", "videos and sounds"],
  ["applet", "embedded objects"],
  ["embed", "embedded objects"],
  ["object", "embedded objects"],
  ["frame", "embedded pages"],
  ["iframe", "embedded pages"],
  ["svg", "drawings"],
]);

type Ways = {
  left: (what: string) => void;
  /** Returns the replacement of a comment. Without this function, comments are dropped. */
  comment?: (words: string) => ElementContent[];
};

export function wordsIn(node: RootContent | Root): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(wordsIn).join("") : "";
}

function isHidden(one: Element): boolean {
  const { hidden, style, open } = one.properties;
  if (hidden !== undefined && hidden !== null && hidden !== false) return true;
  if (one.tagName === "dialog" && (open === undefined || open === null)) return true;
  if (typeof style !== "string") return false;
  const declared = styleOf({ ...one, properties: { style } });
  return (
    declared.get("display") === "none" ||
    /^(?:hidden|collapse)$/.test(declared.get("visibility") ?? "") ||
    declared.get("mso-hide") === "all"
  );
}

function found(one: Element, tagName: string): Element | null {
  for (const child of one.children) {
    if (child.type !== "element") continue;
    const inner = child.tagName === tagName ? child : found(child, tagName);
    if (inner !== null) return inner;
  }
  return null;
}

const isDrawingOfWords = (one: Element) => wordsIn(one).trim() !== "";

function isFormula({ tagName, properties: { className } }: Element): boolean {
  return tagName === "math" || (Array.isArray(className) && className.includes("katex"));
}

/** Replaces a formula, which pages render twice, by its source. */
function formula(one: Element): ElementContent[] {
  return [{ type: "text", value: wordsIn(found(one, "annotation") ?? one) }];
}

/**
 * Inline marks. Marks without words are dropped, since parsing takes quadratic time in the number
 * of marks.
 */
const marks = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr s samp small span strike strong sub sup time tt u var".split(
    " ",
  ),
);

function seenIn(parent: Element | Root, ways: Ways): ElementContent[] {
  const seen: ElementContent[] = [];
  const add = (one: ElementContent) => {
    const last = seen.at(-1);
    // Joins text that only a comment or an invisible element divides.
    if (one.type === "text" && last?.type === "text") last.value += one.value;
    else seen.push(one.type === "text" ? { ...one } : one);
  };
  for (const child of parent.children) {
    if (child.type === "doctype") continue;
    if (child.type === "text") add(child);
    else
      for (const one of child.type === "comment"
        ? (ways.comment?.(child.value) ?? [])
        : seenOf(child, ways))
        add(one);
  }
  return seen;
}

const isBlank = (node: ElementContent) => node.type === "text" && node.value.trim() === "";

function seenOf(one: Element, ways: Ways): ElementContent[] {
  const { left } = ways;
  const { tagName, properties } = one;
  if (unseen.has(tagName)) return [];
  const what = shows.get(tagName);
  if (what !== undefined) {
    // A drawing that is hidden from screen readers is decoration.
    const isOrnament = tagName === "svg" && properties.ariaHidden === "true";
    if (!isOrnament || isDrawingOfWords(one)) left(what);
    return [];
  }
  if (isHidden(one)) {
    if (wordsIn(one).trim() !== "") left("hidden passages");
    return [];
  }
  if (isFormula(one)) return formula(one);
  const children = seenIn(one, ways);
  return marks.has(tagName) && children.every(isBlank) ? children : [{ ...one, children }];
}

/** Returns a page without invisible content. `ways.left` counts content that no text can hold. */
export function seenPage(tree: Root, ways: Ways): Root {
  return { ...tree, children: seenIn(tree, ways) };
}
