import type { Element } from "hast";
import { sizeOf, styleOf } from "./styles";
import { attribute, element, found, has, isElement, rewritten, wordsIn } from "./tree";
import type { Markup } from "./tree";

const level = (text: string | undefined) => {
  const number = Number.parseInt(text ?? "", 10);
  return number >= 1 && number <= 9 ? `h${Math.min(6, number)}` : null;
};

/** Returns a paragraph's heading element by its Word class, its role, or its outline level. */
function headingOf(one: Element): string | null {
  if (attribute(one, "role") === "heading") return level(attribute(one, "aria-level"));
  if (one.tagName !== "p") return null;
  const names = attribute(one, "class");
  if (/(?:^|\s)msotitle/i.test(names)) return "h1";
  const [, named] = /(?:^|\s)(?:mso)?heading-?([1-9])(?:\s|$)/i.exec(names) ?? [];
  return level(named) ?? level(styleOf(one).get("mso-outline-level"));
}

const quotes = /(?:^|\s)(?:mso(?:intense)?quote\w*|markdown-alert)(?:\s|$)/i;

/** Renames an element that a program named in its own way to the standard element. */
function renamed(one: Element, isNotion: boolean): Element[] | null {
  const isBox = /^(?:p|div|aside)$/.test(one.tagName);
  const isQuote = quotes.test(attribute(one, "class")) || (isNotion && one.tagName === "aside");
  if (isBox && isQuote) return [element("blockquote", [element("p", one.children)])];
  const heading = isBox ? headingOf(one) : null;
  if (heading !== null) return [{ ...one, tagName: heading }];
  if (one.tagName !== "dt") return null;
  return [element("p", [element("strong", one.children)])];
}

function sizesIn(page: Element): Map<number, number> {
  const letters = new Map<number, number>();
  found(page, (one) => {
    const size = /^(?:p|li)$/.test(one.tagName) ? sizeOf(styleOf(one)) : null;
    if (size !== null) letters.set(size, (letters.get(size) ?? 0) + wordsIn(one).length);
    return false;
  });
  return letters;
}

/**
 * Returns the heading that a line of Apple's programs represents: a short, fully bold line in
 * letters larger than usual.
 */
function headingOfApple(one: Element, usual: number): Element[] | null {
  const size = one.tagName === "p" ? sizeOf(styleOf(one)) : null;
  if (size === null || size < usual * 1.2) return null;
  const words = wordsIn(one).trim();
  const bold = found(one, ({ tagName }) => tagName === "b");
  if (words === "" || words.length > 200 || bold === null) return null;
  return wordsIn(bold).trim() === words
    ? [{ ...one, tagName: size >= usual * 1.6 ? "h1" : "h2" }]
    : null;
}

/** Gives elements their standard names where a program marks them in its own way. */
export function withNames(page: Element): Element {
  const isNotion = isOfNotion(page);
  const named = rewritten(page, (node) => (isElement(node) ? renamed(node, isNotion) : null));
  const isApple = (one: Element) =>
    one.tagName === "meta" && /cocoa html writer/i.test(attribute(one, "content"));
  if (found(page, isApple) === null) return named;
  const [usual] = [...sizesIn(page)].sort((one, other) => other[1] - one[1]);
  if (usual === undefined) return named;
  return rewritten(named, (node) => (isElement(node) ? headingOfApple(node, usual[0]) : null));
}

/** Whether a comment identifies the source as Notion. */
export const isOfNotion = (page: Element) => commentIn(page, /^\s*notionvc/);

function commentIn(node: Markup, pattern: RegExp): boolean {
  if (node.type === "comment") return pattern.test(node.value);
  return isElement(node) && node.children.some((child) => commentIn(child, pattern));
}

/** Whether an element is ours: it names a file, a document or a part of a text. */
export function isOurs(one: Element): boolean {
  return (
    (one.tagName === "a" && has(one, "data-document")) ||
    (/^(?:figure|div)$/.test(one.tagName) && has(one, "data-file"))
  );
}
