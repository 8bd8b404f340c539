import type { Element } from "hast";
import { safeAddress } from "@/events/content/safe-address";
import { isCodeFont, type Style, styleOf } from "./styles";
import { attribute, element, has, isElement, type Markup, textNode } from "./tree";
import { isOurs } from "./names";
import { isBlock } from "./blocks";

/** How letters are set: each mark by the element that says it. */
type Look = {
  strong: boolean;
  em: boolean;
  u: boolean;
  s: boolean;
  code: boolean;
  href: string | null;
  /** Whether a new line in the words is one in the text. */
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

/** Where a link leads, without the detour by which Google counts its readers. */
function addressOf(link: Element): string | null {
  const href = attribute(link, "href").trim();
  // A place in the page that was copied is none in this text.
  if (href.startsWith("#")) return null;
  const [, detour] = /^https:\/\/www\.google\.com\/url\?(?:[^#]*&)?q=([^&#]+)/.exec(href) ?? [];
  if (detour === undefined) return safeAddress(href);
  try {
    return safeAddress(decodeURIComponent(detour));
  } catch {
    // What cannot be decoded is an address all the same.
    return safeAddress(href);
  }
}

function byStyle(one: Element, style: Style, byFont: boolean): Partial<Look> {
  const look: Partial<Look> = {};
  const weight = style.get("font-weight");
  // That a heading is bold is its look.
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
  // What an element says by its name, no font takes back.
  return { ...own, ...said, code: own.code || (code ?? own.code) };
}

/** Letters within the elements of their look; a link is underlined by itself. */
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

/** The letters of a text, and a break for each of its lines where it keeps those. */
function lettersOf(words: string, look: Look): Markup[] {
  if (!look.lines || !words.includes("\n")) return [marked(textNode(words), look)];
  return words
    .split(/\r\n?|\n/)
    .flatMap((line, at) => [
      ...(at === 0 ? [] : [element("br", [])]),
      ...(line === "" ? [] : [marked(textNode(line), look)]),
    ]);
}

/** Spaces that a program has put there for the look of a line. */
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
    // The words of a field that a program fills stay; its own marks go with its elements.
    const inner = within(children, own, byFont);
    return isBlock(node) ? [{ ...node, children: inner }] : inner;
  });
}

/**
 * A page in which each mark stands around its letters, in elements of ours, and no style is left.
 * `byFont`: a font of code says that it is code; `byLine`: each line of the words is one of the text.
 */
export function withMarks(
  page: Element,
  { byFont, byLine }: { byFont: boolean; byLine: boolean },
): Element {
  return { ...page, children: within(page.children, { ...plain, lines: byLine }, byFont) };
}
