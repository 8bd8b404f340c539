import type { Element } from "hast";
import { isCodeFont, styleOf } from "./styles";
import { attribute, element, found, has, isBlank, isElement, textNode, wordsIn } from "./tree";
import type { Markup } from "./tree";

const lines = new Set(["div", "li", "p", "tr"]);

/** Returns the text of code, with a separate line for each element that is displayed as a line. */
function codeIn(node: Markup): string {
  if (node.type === "text") return node.value.replaceAll(/\r\n?/g, "\n");
  if (!isElement(node)) return "";
  if (node.tagName === "br") return "\n";
  let code = "";
  let isOpen = false;
  for (const child of node.children) {
    const isLine = isElement(child) && lines.has(child.tagName);
    const more = codeIn(child);
    if (isOpen || (isLine && code !== "" && !code.endsWith("\n"))) code += "\n";
    code += isLine && more === "\n" ? "" : more;
    isOpen = isLine;
  }
  return code;
}

const languages =
  /(?:^|\s)(?:language-|lang-|brush:\s?|highlight-(?:source-|text-)?|sourcecode\s)([\w+#.-]{1,32})/i;
const noLanguage = /^(?:default|none|notranslate|plaintext|text)$/i;

/** Returns the language that a page names around code, on it, or directly within it. */
function languageOf(code: Element, around: string): string {
  const inner = found(code, ({ tagName }) => tagName === "code");
  for (const one of [inner, code]) {
    if (one === null) continue;
    const given = attribute(one, "data-language") || attribute(one, "data-lang");
    const [, named = ""] = languages.exec(attribute(one, "class")) ?? [];
    const language = given || named;
    if (/^[\w+#.-]{1,32}$/.test(language) && !noLanguage.test(language)) return language;
  }
  return around;
}

function blockOf(code: string, language: string): Element {
  const words = code.replaceAll("\u00a0", " ").replace(/^\n+/, "").trimEnd();
  const named = language === "" ? {} : { class: `language-${language.toLowerCase()}` };
  return element("pre", [element("code", [textNode(words)], named)]);
}

/** Returns code that a page lays out as a table with line numbers in separate cells. */
function inTable(table: Element): string | null {
  const isCode = (one: Element) => /(?:^|\s)blob-code(?:\s|$)/.test(attribute(one, "class"));
  if (table.tagName !== "table" || found(table, isCode) === null) return null;
  const rows: string[] = [];
  found(table, (one) => {
    if (isCode(one)) rows.push(codeIn(one).replace(/\n+$/, ""));
    return false;
  });
  return rows.join("\n");
}

/** Whether all words in a block have a code font. Null if the block has no words. */
function isSetAsCode(one: Element, inherited: boolean): boolean | null {
  const own = has(one, "style") ? (isCodeFont(styleOf(one)) ?? inherited) : inherited;
  const parts = one.children.map((child) => {
    if (isElement(child)) return isSetAsCode(child, own);
    return child.type === "text" && !isBlank(child.value) ? own : null;
  });
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.every(Boolean);
}

const structure = /^(?:h[1-6]|ul|ol|li|table|blockquote|img|a)$/;
const hasStructure = (one: Element) =>
  found(one, ({ tagName }) => structure.test(tagName)) !== null;

/** Whether a paragraph among others is a line of code. */
function isLine(node: Markup): node is Element {
  return isElement(node) && /^(?:p|div)$/.test(node.tagName) && isSetAsCode(node, false) === true;
}

function within(parent: Element, around: string, byFont: boolean): Element {
  const children: Markup[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) children.push(blockOf(open.join("\n"), ""));
    open = [];
  };
  for (const [at, child] of parent.children.entries()) {
    const next = parent.children.slice(at + 1, at + 4).find(isElement);
    const isGap = isBlank(wordsIn(child));
    if (open.length > 0 && isGap && (next === undefined || isLine(next))) {
      if (isElement(child)) open.push("");
      continue;
    }
    if (byFont && isLine(child) && !hasStructure(child)) {
      open.push(codeIn(child));
      continue;
    }
    close();
    if (!isElement(child)) {
      children.push(child);
      continue;
    }
    const [, said] = languages.exec(attribute(child, "class")) ?? [];
    const language = said === undefined || noLanguage.test(said) ? around : said;
    if (child.tagName === "pre") {
      children.push(blockOf(codeIn(child), languageOf(child, around)));
      continue;
    }
    const code = inTable(child);
    children.push(code === null ? within(child, language, byFont) : blockOf(code, language));
  }
  close();
  return { ...parent, children };
}

/** Whether a whole page has a code font only as its look, without being code. */
export function isLookOfPage(page: Element): boolean {
  return isSetAsCode(page, false) === true && hasStructure(page);
}

/** Turns preformatted content, and lines with a code font, into code blocks. */
export function withCode(page: Element): Element {
  // If every word has a code font, the page is either all code or only styled that way.
  const isAll = isSetAsCode(page, false) === true;
  const isLines = !hasStructure(page) && found(page, ({ tagName }) => tagName === "pre") === null;
  const code = isAll && isLines ? codeIn(page) : "";
  if (code.trim().includes("\n")) return { ...page, children: [blockOf(code, "")] };
  return within(page, "", !isAll);
}
