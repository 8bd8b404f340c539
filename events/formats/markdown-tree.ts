import type { BlockContent, ListItem, PhrasingContent, Root, RootContent, TableRow } from "mdast";
import { imageAttributes } from "@/events/content/file-attributes";
import { bounds, within } from "@/events/content/text-schema";
import { wordsOfFile } from "./file-words";
import { type FileLinks, gap, phrasing } from "./phrasing";
import { elementsOf, isText, lettersOf, type TreeElement, type TreeNode } from "./text-tree";

const textBlocks = new Set(["paragraph", "heading", "codeBlock"]);
const languageWord = /^[\w+#.-]{1,32}$/;

/** The lines of a cell, which stand on one line in Markdown. */
function cellLines(nodes: readonly TreeNode[], links: FileLinks): PhrasingContent[][] {
  return elementsOf(nodes).flatMap((element) =>
    textBlocks.has(element.name)
      ? [phrasing(element.children, links, true)]
      : cellLines(element.children, links),
  );
}

function tableRow(row: TreeElement, links: FileLinks): TableRow {
  const cells = elementsOf(row.children).flatMap(({ attributes, children }) => {
    const lines = cellLines(children, links).filter(({ length }) => length > 0);
    const content = lines.flatMap((line, index): PhrasingContent[] =>
      index === 0 ? line : [{ type: "html", value: "<br>" }, ...line],
    );
    const empty = within(attributes.colspan, bounds.span) - 1;
    return [content, ...Array.from({ length: empty }, (): PhrasingContent[] => [])];
  });
  return {
    type: "tableRow",
    children: cells.map((children) => ({ type: "tableCell", children })),
  };
}

function table(element: TreeElement, links: FileLinks): BlockContent[] {
  const rows = elementsOf(element.children).map((row) => tableRow(row, links));
  const width = Math.max(0, ...rows.map(({ children }) => children.length));
  for (const { children } of rows)
    while (children.length < width) children.push({ type: "tableCell", children: [] });
  return width === 0 ? [] : [{ type: "table", children: rows }];
}

function items(element: TreeElement, links: FileLinks): ListItem[] {
  return elementsOf(element.children).map(({ attributes, children }): ListItem => {
    const content = blockTree(children, links);
    const isTask = element.name === "taskList";
    // A sign with nothing behind it is one only in some places, and a box in none.
    if (content.length === 0 || (isTask && content[0]?.type !== "paragraph"))
      content.unshift({ type: "paragraph", children: [gap] });
    if (!isTask) return { type: "listItem", spread: false, children: content };
    return {
      type: "listItem",
      spread: false,
      checked: String(attributes.checked) === "true",
      children: content,
    };
  });
}

function fileTree(element: TreeElement, { origin }: FileLinks): PhrasingContent[] {
  const { words = "", path = null } = wordsOfFile(element) ?? {};
  if (path === null) return [{ type: "text", value: words }];
  const url = `${origin}${path}`;
  if (element.name === "file")
    return [{ type: "link", url, children: [{ type: "text", value: words }] }];
  const { alt, caption } = imageAttributes(element.attributes);
  return [{ type: "image", url, alt, title: caption === "" ? null : caption }];
}

function block(element: TreeElement, links: FileLinks): BlockContent[] {
  const { name, attributes, children } = element;
  switch (name) {
    case "paragraph":
      return children.length === 0
        ? []
        : [{ type: "paragraph", children: phrasing(children, links) }];
    case "heading": {
      const depth = within(attributes.level, [1, 3]) as 1 | 2 | 3;
      return [{ type: "heading", depth, children: phrasing(children, links, depth === 3) }];
    }
    case "codeBlock": {
      const { language } = attributes;
      const lang = typeof language === "string" && languageWord.test(language) ? language : null;
      const value = lettersOf(children).replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
      return [{ type: "code", lang, value }];
    }
    case "blockquote":
      return [{ type: "blockquote", children: blockTree(children, links) }];
    case "bulletList":
    case "taskList":
      return [{ type: "list", ordered: false, spread: false, children: items(element, links) }];
    case "orderedList": {
      const start = within(attributes.start, bounds.start);
      return [
        { type: "list", ordered: true, start, spread: false, children: items(element, links) },
      ];
    }
    case "table":
      return table(element, links);
    case "horizontalRule":
      return [{ type: "thematicBreak" }];
    case "image":
    case "file":
      return [{ type: "paragraph", children: fileTree(element, links) }];
    default:
      return children.some(isText)
        ? [{ type: "paragraph", children: phrasing(children, links) }]
        : blockTree(children, links);
  }
}

function blockTree(nodes: readonly TreeNode[], links: FileLinks): BlockContent[] {
  return elementsOf(nodes).flatMap((element) => block(element, links));
}

/** A document as Markdown has it, its title as the first heading. */
export function markdownTree(title: string, text: readonly TreeNode[], links: FileLinks): Root {
  const heading: RootContent = {
    type: "heading",
    depth: 1,
    children: [{ type: "text", value: title.replace(/\s+/g, " ").trim() }],
  };
  return { type: "root", children: [heading, ...blockTree(text, links)] };
}
