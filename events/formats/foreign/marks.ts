import type { Element } from "hast";
import { safeAddress } from "@/events/content/safe-address";
import { isCodeFont, styleOf } from "./styles";
import type { Style } from "./styles";
import { attribute, element, has, isElement, textNode } from "./tree";
import type { Markup } from "./tree";
import { isOurs } from "./names";
import { isBlock } from "./blocks";

/** The formatting of letters: each mark with its element. */
type Look = {
  strong: boolean;
  em: boolean;
  u: boolean;
  s: boolean;
  code: boolean;
  href: string | null;
  /** Whether a newline in the words becomes a newline in the text. */
  lines: boolean;
};
const plain: Look = {
  strong: false,
  em: false,
  u: false,
  s: false,
  code: false,
  href: null,
  lines: false,
};

const byName: Record<string, Partial<Look>> = {
  b: { strong: true },
  strong: { strong: true },
  i: { em: true },
  em: { em: true },
  u: { u: true },
  ins: { u: true },
  s: { s: true },
  strike: { s: true },
  del: { s: true },
  code: { code: true },
  kbd: { code: true },
  samp: { code: true },
  tt: { code: true },
};

/** Returns a link's address, without Google's redirect. */
function addressOf(link: Element): string | null {
  const href = attribute(link, "href").trim();
  // An anchor of the copied page has no target in this text.
  if (href.startsWith("#")) return null;
  const [, detour] = /^https:\/\/www\.google\.com\/url\?(?:[^#]*&)?q=([^&#]+)/.exec(href) ?? [];
  if (detour === undefined) return safeAddress(href);
  try {
    return safeAddress(decodeURIComponent(detour));
  } catch {
    // An undecodable address is still an address.
    return safeAddress(href);
  }
}

function byStyle(one: Element, style: Style, byFont: boolean): Partial<Look> {
  const look: Partial<Look> = {};
  const weight = style.get("font-weight");
  // Bold in headings is only the page's look.
  if (weight !== undefined && !/^(?:h[1-6]|th)$/.test(one.tagName) && weight !== "inherit")
    look.strong = /^(?:bold|[6-9]00)/.test(weight);
  const slant = style.get("font-style");
  if (slant !== undefined && slant !== "inherit") look.em = /^(?:italic|oblique)/.test(slant);
  const drawn = `${style.get("text-decoration") ?? ""} ${style.get("text-decoration-line") ?? ""}`;
  if (/underline/.test(drawn)) look.u = true;
  if (/line-through/.test(drawn)) look.s = true;
  const code = byFont ? isCodeFont(style) : null;
  if (code !== null) look.code = code;
  const space = style.get("white-space") ?? style.get("white-space-collapse");
  if (space !== undefined) look.lines = /^(?:pre|preserve|break-spaces)/.test(space);
  return look;
}

function lookOf(one: Element, look: Look, byFont: boolean): Look {
  const own = { ...look, ...byName[one.tagName] };
  if (one.tagName === "ins" && attribute(one, "cite").startsWith("mailto:")) own.u = look.u;
  if (one.tagName === "a") own.href = addressOf(one) ?? look.href;
  if (!has(one, "style")) return own;
  const { code, ...said } = byStyle(one, styleOf(one), byFont);
  // An element's font does not undo the marks of its name.
  return { ...own, ...said, code: own.code || (code ?? own.code) };
}

/** Wraps letters in the elements of their formatting. A link needs no underline. */
function marked(node: Markup, { strong, em, u, s, code, href }: Look): Markup {
  const names: string[] = [];
  if (code && href === null) names.push("code");
  else {
    if (s) names.push("s");
    if (u && href === null) names.push("u");
    if (em) names.push("em");
    if (strong) names.push("strong");
  }
  const inner = names.reduce<Markup>((within, name) => element(name, [within]), node);
  return href === null ? inner : element("a", [inner], { href });
}

/** Returns a text's letters, with a break after each line if lines are preserved. */
function lettersOf(words: string, look: Look): Markup[] {
  if (!look.lines || !words.includes("\n")) return [marked(textNode(words), look)];
  return words
    .split(/\r\n?|\n/)
    .flatMap((line, at) => [
      ...(at === 0 ? [] : [element("br", [])]),
      ...(line === "" ? [] : [marked(textNode(line), look)]),
    ]);
}

/** Whether an element only holds spaces that a program inserted for a line's look. */
function isFilling(one: Element): boolean {
  if (attribute(one, "class") === "Apple-converted-space") return true;
  if (!has(one, "style")) return false;
  const style = styleOf(one);
  return style.has("mso-spacerun") || style.has("mso-tab-count");
}

function within(nodes: readonly Markup[], look: Look, byFont: boolean): Markup[] {
  return nodes.flatMap((node): Markup[] => {
    if (node.type === "text") return node.value === "" ? [] : lettersOf(node.value, look);
    if (!isElement(node)) return [];
    const { tagName, children } = node;
    if (isOurs(node) || tagName === "pre") return [node];
    if (tagName === "br") return [element("br", [])];
    if (tagName === "input" || tagName === "img" || tagName === "wbr") return [];
    if (isFilling(node)) return [textNode(" ")];
    const own = lookOf(node, look, byFont);
    // The words of a program's field stay; its marks are dropped with its elements.
    const inner = within(children, own, byFont);
    return isBlock(node) ? [{ ...node, children: inner }] : inner;
  });
}

/**
 * Rewrites a page so that each mark is one of our elements around its letters, and no style
 * remains. `byFont`: a code font means code. `byLine`: each line of the words becomes a line of the
 * text.
 */
export function withMarks(
  page: Element,
  { byFont, byLine }: { byFont: boolean; byLine: boolean },
): Element {
  return { ...page, children: within(page.children, { ...plain, lines: byLine }, byFont) };
}
