import type { BlockContent, ListItem, PhrasingContent, Root, RootContent, TableRow } from "mdast";
import { imageAttributes } from "@/events/content/file-attributes";
import { bounds, within } from "@/events/content/text-schema";
import { wordsOfFile } from "./file-words";
import { gap, phrasing } from "./phrasing";
import type { FileLinks } from "./phrasing";
import { elementsOf, isText, lettersOf } from "./text-tree";
import type { TreeElement, TreeNode } from "./text-tree";
import { isMarkdownTable, tableHtml } from "./table-html";

const languageWord = /^[\w+#.-]{1,32}$/;

function tableRow(row: TreeElement, links: FileLinks): TableRow {
  return {
    type: "tableRow",
    children: elementsOf(row.children).map(({ children }) => ({
      type: "tableCell",
      children: phrasing(elementsOf(children)[0]?.children ?? [], links, true),
    })),
  };
}

function table(element: TreeElement, links: FileLinks): BlockContent[] {
  const rows = elementsOf(element.children);
  if (!rows.some(({ children }) => children.length > 0)) return [];
  if (!isMarkdownTable(element)) return [{ type: "html", value: tableHtml(element, links) }];
  return [{ type: "table", children: rows.map((row) => tableRow(row, links)) }];
}

function items(element: TreeElement, links: FileLinks): ListItem[] {
  return elementsOf(element.children).map(({ attributes, children }): ListItem => {
    const content = blockTree(children, links);
    const isTask = element.name === "taskList";
    // A list marker without content is valid only in some places, and a checkbox without content is
    // never valid.
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

/** Returns a document as an mdast tree, with its title as the first heading. */
export function markdownTree(title: string, text: readonly TreeNode[], links: FileLinks): Root {
  const heading: RootContent = {
    type: "heading",
    depth: 1,
    children: [{ type: "text", value: title.replace(/\s+/g, " ").trim() }],
  };
  return { type: "root", children: [heading, ...blockTree(text, links)] };
}
