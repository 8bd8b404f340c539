import { imageAttributes } from "@/events/content/file-attributes";
import { targetOf } from "@/events/content/document-link";
import { pathOfTarget } from "@/events/content/document-address";
import { bounds, within } from "@/events/content/text-schema";
import { escapedHtml } from "@/events/core/text/escaped-html";
import { wordsOfFile } from "./file-words";
import { addressOf } from "./phrasing";
import type { FileLinks } from "./phrasing";
import { elementsOf, isText, lettersOf } from "./text-tree";
import type { TreeElement, TreeNode } from "./text-tree";

const controls = /[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g;

/** Escapes words on one line. In Markdown, an empty line would end the HTML. */
const wordsHtml = (text: string) => escapedHtml(text.replace(controls, " "));
const lettersHtml = (text: string) =>
  escapedHtml(text.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd")).replaceAll("\n", "&#10;");
const element = (name: string, content: string, attributes = "") =>
  `<${name}${attributes}>${content}</${name}>`;
const attribute = (name: string, value: string) => ` ${name}="${wordsHtml(value)}"`;

/** Marks with their elements, innermost first. */
const marks = [
  ["code", "code"],
  ["underline", "u"],
  ["strike", "del"],
  ["italic", "em"],
  ["bold", "strong"],
] as const;

function inlineHtml(node: TreeNode, { nameOf, origin }: FileLinks): string {
  if (isText(node)) {
    const marked = marks
      .filter(([name]) => node.marks[name] !== undefined)
      .reduce((content, [, tag]) => element(tag, content), wordsHtml(node.text));
    const href = addressOf(node.marks.link);
    return href === null ? marked : element("a", marked, attribute("href", href));
  }
  if (node.name === "hardBreak") return "<br>";
  const target = node.name === "documentLink" ? targetOf(node.attributes) : null;
  if (target === null) return "";
  const { words, state } = nameOf(target.document);
  return state === "closed"
    ? wordsHtml(words)
    : element("a", wordsHtml(words), attribute("href", `${origin}${pathOfTarget(target)}`));
}

const inlinesHtml = (nodes: readonly TreeNode[], links: FileLinks) =>
  nodes.map((node) => inlineHtml(node, links)).join("");

function fileHtml(file: TreeElement, links: FileLinks): string {
  const { words = "", path = null } = wordsOfFile(file) ?? {};
  if (path === null) return wordsHtml(words);
  const url = `${links.origin}${path}`;
  if (file.name === "file") return element("a", wordsHtml(words), attribute("href", url));
  const { alt, caption } = imageAttributes(file.attributes);
  const title = caption === "" ? "" : attribute("title", caption);
  return `<img${attribute("src", url)}${attribute("alt", alt)}${title}>`;
}

function itemHtml(item: TreeElement, links: FileLinks): string {
  const isTask = item.name === "taskItem";
  const checked = String(item.attributes.checked) === "true" ? " checked" : "";
  const [first, ...rest] = elementsOf(item.children);
  const box = isTask ? `<input type="checkbox" disabled${checked}> ` : "";
  const words = first ? inlinesHtml(first.children, links) : "";
  return element("li", `${element("p", `${box}${words}`)}${blocksHtml(rest, links)}`);
}

function blockHtml(block: TreeElement, links: FileLinks): string {
  const { name, attributes, children } = block;
  switch (name) {
    case "paragraph":
      return element("p", inlinesHtml(children, links));
    case "heading":
      return element(`h${within(attributes.level, [1, 3])}`, inlinesHtml(children, links));
    case "codeBlock": {
      const { language } = attributes;
      const lang =
        typeof language === "string" && /^[\w+#.-]{1,32}$/.test(language)
          ? attribute("class", `language-${language}`)
          : "";
      return element("pre", element("code", lettersHtml(lettersOf(children)), lang));
    }
    case "bulletList":
    case "taskList":
      return element("ul", itemsHtml(children, links));
    case "orderedList": {
      const start = within(attributes.start, bounds.start);
      return element("ol", itemsHtml(children, links), start === 1 ? "" : ` start="${start}"`);
    }
    case "blockquote":
      return element("blockquote", blocksHtml(children, links));
    case "horizontalRule":
      return "<hr>";
    case "image":
    case "file":
      return element("p", fileHtml(block, links));
    case "table":
      return tableHtml(block, links);
    default:
      return blocksHtml(children, links);
  }
}

const itemsHtml = (items: readonly TreeNode[], links: FileLinks) =>
  elementsOf(items)
    .map((item) => itemHtml(item, links))
    .join("");

function blocksHtml(nodes: readonly TreeNode[], links: FileLinks): string {
  return elementsOf(nodes)
    .map((block) => blockHtml(block, links))
    .join("");
}

function cellHtml({ name, attributes, children }: TreeElement, links: FileLinks): string {
  const spans = (["colspan", "rowspan"] as const)
    .map((span) => [span, within(attributes[span], bounds.span)] as const)
    .filter(([, cells]) => cells > 1)
    .map(([span, cells]) => ` ${span}="${cells}"`);
  return element(name === "tableHeader" ? "th" : "td", blocksHtml(children, links), spans.join(""));
}

/**
 * Returns a table as HTML on one line, which GitHub's Markdown renders. Markdown's own tables allow
 * only one line of words per cell.
 */
export function tableHtml(table: TreeElement, links: FileLinks): string {
  const rows = elementsOf(table.children).map((row) =>
    element(
      "tr",
      elementsOf(row.children)
        .map((cell) => cellHtml(cell, links))
        .join(""),
    ),
  );
  return element("table", element("tbody", rows.join("")));
}

const isHeading = ({ name }: TreeElement) => name === "tableHeader";

function isOneLine({ attributes, children }: TreeElement): boolean {
  const [only, ...others] = elementsOf(children);
  return (
    others.length === 0 &&
    (only === undefined || only.name === "paragraph") &&
    within(attributes.colspan, bounds.span) === 1 &&
    within(attributes.rowspan, bounds.span) === 1 &&
    // GitHub's tables cannot hold a backslash before a vertical line in code.
    !(only?.children ?? []).some(
      (node) => isText(node) && node.marks.code !== undefined && /\\+\|/.test(node.text),
    )
  );
}

/** Whether a Markdown table can hold the table: one line per cell, below one header row. */
export function isMarkdownTable(table: TreeElement): boolean {
  const rows = elementsOf(table.children).map(({ children }) => elementsOf(children));
  const [head = [], ...body] = rows;
  return (
    head.length > 0 &&
    head.every(isHeading) &&
    // A header row without words is parsed as no header.
    head.some(({ children }) => lettersOf(children).trim() !== "") &&
    !body.some((cells) => cells.some(isHeading)) &&
    rows.every((cells) => cells.length === head.length && cells.every(isOneLine))
  );
}
