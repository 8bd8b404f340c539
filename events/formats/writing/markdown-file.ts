import { gfmToMarkdown } from "mdast-util-gfm";
import { type Join, toMarkdown } from "mdast-util-to-markdown";
import { markdownTree } from "./markdown-tree";
import type { FileLinks } from "./phrasing";
import type { TreeNode } from "./text-tree";

/**
 * In an item a line right below another would go on with what stands above it: only a list that
 * begins with words is told from it for sure.
 */
const joinInItems: Join = (left, right, parent) => {
  const isSublist =
    left.type === "paragraph" &&
    right.type === "list" &&
    right.children[0]?.children[0]?.type === "paragraph";
  return parent.type === "listItem" && !isSublist ? 1 : undefined;
};

/** A document as a Markdown file, which `readMarkdownFile` reads as the same. */
export function markdownFile(title: string, text: readonly TreeNode[], links: FileLinks): string {
  return toMarkdown(markdownTree(title, text, links), {
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    join: [joinInItems],
    bullet: "-",
    bulletOther: "*",
    rule: "-",
    fences: true,
    incrementListMarker: true,
    listItemIndent: "one",
    resourceLink: true,
  });
}
