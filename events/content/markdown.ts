import { XmlElement, XmlText } from "yjs";
import type { XmlFragment } from "yjs";
import { targetOf } from "./document-link";
import { fileAttributes, imageAttributes } from "./file-attributes";
import type { FileAttributes, ImageAttributes } from "./file-attributes";
import { currentWriting } from "./markdown-writing";
import type { MarkdownWriting } from "./markdown-writing";
import { safeAddress } from "./safe-address";

const markers: Record<string, string> = { bold: "**", italic: "*", strike: "~~" };
const languageWord = /^[\w+#.-]{1,32}$/;
const deepest = 64;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Returns a fence of backticks longer than any run in the words, so that no run ends the block. */
function fence(words: string, least: number): string {
  const longest = (words.match(/`+/g) ?? []).reduce(
    (most, { length }) => Math.max(most, length),
    0,
  );
  return "`".repeat(Math.max(least, longest + 1));
}

function codeSpan(words: string): string {
  const sign = fence(words, 1);
  const padding = words.startsWith("`") || words.endsWith("`") ? " " : "";
  return `${sign}${padding}${words}${padding}${sign}`;
}

function codeBlock(words: string, language: unknown): string {
  const sign = fence(words, 3);
  return `${sign}${typeof language === "string" && languageWord.test(language) ? language : ""}\n${words}\n${sign}`;
}

type Run = { insert?: unknown; attributes?: Record<string, unknown> };

/** Splits off the space around marked words, which Markdown requires outside the marks. */
function withoutSpace(text: string): [before: string, core: string, after: string] {
  const core = text.trim();
  const from = core === "" ? text.length : text.indexOf(core);
  return [text.slice(0, from), core, text.slice(from + core.length)];
}

function runMarkdown({ insert, attributes = {} }: Run, writing: MarkdownWriting): string {
  if (typeof insert !== "string") return "";
  const code = attributes.code !== undefined;
  const words = code ? writing.code(insert) : writing.words(insert);
  const [before, core, after] = withoutSpace(words);
  if (core === "") return words;
  const syntax = Object.keys(markers)
    .filter((name) => attributes[name] !== undefined)
    .map((name) => markers[name] ?? "");
  const marked = code
    ? codeSpan(core)
    : `${syntax.join("")}${core}${[...syntax].reverse().join("")}`;
  const href = isRecord(attributes.link) ? safeAddress(attributes.link.href) : null;
  return `${before}${href === null ? marked : `[${marked}](${writing.address(href)})`}${after}`;
}

const runsOf = (text: XmlText): Run[] => text.toDelta();

function elementMarkdown(element: XmlElement, writing: MarkdownWriting): string[] {
  if (element.nodeName === "hardBreak") return ["\\\n"];
  return element.nodeName === "documentLink"
    ? [writing.documentLink(targetOf(element.getAttributes()))]
    : [];
}

function inline(parent: XmlFragment, writing: MarkdownWriting): string {
  const runs = parent
    .toArray()
    .flatMap((child) =>
      child instanceof XmlText
        ? runsOf(child).map((run) => runMarkdown(run, writing))
        : child instanceof XmlElement
          ? elementMarkdown(child, writing)
          : [],
    );
  return writing.joined(runs);
}

function plainText(parent: XmlFragment): string {
  return parent
    .toArray()
    .flatMap((child) => (child instanceof XmlText ? runsOf(child) : []))
    .map(({ insert }) => (typeof insert === "string" ? insert : ""))
    .join("");
}

function indented(text: string, first: string): string {
  const rest = " ".repeat(first.length);
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? first + line : line === "" ? "" : rest + line))
    .join("\n");
}

function elements(parent: XmlFragment): XmlElement[] {
  return parent.toArray().filter((child) => child instanceof XmlElement);
}

/** Replaces each line break and the space around it by one space, in a single pass. */
function onOneLine(text: string): string {
  const lines = text.split("\n");
  const last = lines.length - 1;
  return lines
    .map((line, index) =>
      index === last
        ? index === 0
          ? line
          : line.trimStart()
        : index === 0
          ? line.trimEnd()
          : line.trim(),
    )
    .filter((line, index) => line !== "" || index === 0 || index === last)
    .join(" ");
}

function tableMarkdown(table: XmlElement, way: Way): string {
  const rows = elements(table).map((row) =>
    elements(row).map((cell) => onOneLine(blocks(cell, way)).replace(/\|/g, "\\|")),
  );
  const [head = [], ...body] = rows;
  return [head, head.map(() => "---"), ...body]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function imageMarkdown({ file, alt, caption }: ImageAttributes, writing: MarkdownWriting): string {
  if (file === null) return writing.words(alt);
  const title = writing.words(caption).replaceAll('"', '\\"');
  return `![${writing.words(alt)}](${writing.file(file)}${title === "" ? "" : ` "${title}"`})`;
}

function fileMarkdown({ file, name }: FileAttributes, writing: MarkdownWriting): string {
  return file === null ? writing.words(name) : `[${writing.words(name)}](${writing.file(file)})`;
}

/** The writer, and the depth of the current block. */
type Way = { writing: MarkdownWriting; depth: number };

const levelOf = (level: unknown) =>
  typeof level === "number" ? Math.min(3, Math.max(1, level)) : 1;

function block(element: XmlElement, way: Way): string {
  const { writing } = way;
  const attributes: Record<string, unknown> = element.getAttributes();
  const items = (sign: (item: XmlElement, index: number) => string) =>
    elements(element)
      .map((item, index) => indented(blocks(item, way, "\n"), sign(item, index)))
      .join("\n");
  switch (element.nodeName) {
    case "paragraph":
      return writing.paragraph(inline(element, writing));
    case "heading":
      return `${"#".repeat(levelOf(attributes.level))} ${writing.heading(inline(element, writing))}`;
    case "codeBlock":
      return codeBlock(writing.codeBlock(plainText(element)), attributes.language);
    case "blockquote":
      return blocks(element, way)
        .split("\n")
        .map((line) => `> ${line}`.trimEnd())
        .join("\n");
    case "bulletList":
      return items(() => "- ");
    case "orderedList":
      return items(
        (_item, index) =>
          `${(typeof attributes.start === "number" ? attributes.start : 1) + index}. `,
      );
    case "taskList":
      return items((item) =>
        isRecord(item.getAttributes()) && String(item.getAttribute("checked")) === "true"
          ? "- [x] "
          : "- [ ] ",
      );
    case "table":
      return tableMarkdown(element, way);
    case "horizontalRule":
      return "---";
    case "image":
      return imageMarkdown(imageAttributes(attributes), writing);
    case "file":
      return fileMarkdown(fileAttributes(attributes), writing);
    default:
      return blocks(element, way);
  }
}

function blocks(parent: XmlFragment, way: Way, between = "\n\n"): string {
  return way.depth > deepest
    ? ""
    : elements(parent)
        .map((element) => block(element, { ...way, depth: way.depth + 1 }))
        .join(between);
}

/**
 * Writes a document as Markdown with its title as the first heading. Formatting that Markdown
 * lacks, such as underlining, is left out.
 */
export function documentMarkdown(
  title: string,
  fragment: XmlFragment,
  writing: MarkdownWriting = currentWriting,
): string {
  return `# ${writing.title(title)}\n\n${markdownOf(fragment, writing)}`;
}

/** Writes a document's text as Markdown, without its title. */
export function markdownOf(
  fragment: XmlFragment,
  writing: MarkdownWriting = currentWriting,
): string {
  return `${blocks(fragment, { writing, depth: 0 })}\n`;
}
