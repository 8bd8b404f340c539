import { XmlElement, XmlText, type XmlFragment } from "yjs";
import { safeAddress } from "./safe-address";

const markers: Record<string, string> = { bold: "**", italic: "*", strike: "~~" };
const languageWord = /^[\w+#.-]{1,32}$/;
const deepest = 64;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** A row of backticks longer than any in the words, so that none of those ends it. */
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

function textMarkdown(text: XmlText, plain: boolean): string {
  const runs: { insert?: unknown; attributes?: Record<string, unknown> }[] = text.toDelta();
  return runs
    .map(({ insert, attributes = {} }) => {
      if (typeof insert !== "string") return "";
      if (plain) return insert;
      const code = attributes.code !== undefined;
      const words = code ? insert : insert.replace(/([\\`*_[\]<>])/g, "\\$1");
      const [, before = "", core = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(words) ?? [];
      if (core === "") return words;
      const signs = Object.keys(markers)
        .filter((name) => attributes[name] !== undefined)
        .map((name) => markers[name] ?? "");
      const marked = code
        ? codeSpan(core)
        : `${signs.join("")}${core}${[...signs].reverse().join("")}`;
      const href = isRecord(attributes.link) ? safeAddress(attributes.link.href) : null;
      return `${before}${href === null ? marked : `[${marked}](${href})`}${after}`;
    })
    .join("");
}

function inline(parent: XmlFragment, plain = false): string {
  return parent
    .toArray()
    .map((child) =>
      child instanceof XmlText
        ? textMarkdown(child, plain)
        : child instanceof XmlElement && child.nodeName === "hardBreak"
          ? "\\\n"
          : "",
    )
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

function tableMarkdown(table: XmlElement, depth: number): string {
  const rows = elements(table).map((row) =>
    elements(row).map((cell) =>
      blocks(cell, depth)
        .replace(/\s*\n\s*/g, " ")
        .replace(/\|/g, "\\|"),
    ),
  );
  const [head = [], ...body] = rows;
  return [head, head.map(() => "---"), ...body]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function block(element: XmlElement, depth: number): string {
  const attributes: Record<string, unknown> = element.getAttributes();
  const items = (sign: (item: XmlElement, index: number) => string) =>
    elements(element)
      .map((item, index) => indented(blocks(item, depth, "\n"), sign(item, index)))
      .join("\n");
  switch (element.nodeName) {
    case "paragraph":
      return inline(element);
    case "heading":
      return (
        `${"#".repeat(typeof attributes.level === "number" ? Math.min(3, Math.max(1, attributes.level)) : 1)} ` +
        `${inline(element)}`
      );
    case "codeBlock":
      return codeBlock(inline(element, true), attributes.language);
    case "blockquote":
      return blocks(element, depth)
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
      return tableMarkdown(element, depth);
    case "horizontalRule":
      return "---";
    default:
      return blocks(element, depth);
  }
}

function blocks(parent: XmlFragment, depth: number, between = "\n\n"): string {
  return depth > deepest
    ? ""
    : elements(parent)
        .map((element) => block(element, depth + 1))
        .join(between);
}

/** Writes the text of a document as Markdown; what Markdown cannot say, such as underlining, is left out. */
export function markdownOf(fragment: XmlFragment): string {
  return `${blocks(fragment, 0)}\n`;
}
