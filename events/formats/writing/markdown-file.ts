import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import type { Join } from "mdast-util-to-markdown";
import { markdownTree } from "./markdown-tree";
import type { FileLinks } from "./phrasing";
import type { TreeNode } from "./text-tree";

/**
 * Separates the blocks of an item: a block directly below another might be parsed as its
 * continuation. Only a list that begins with words needs no separation.
 */
const joinInItems: Join = (left, right, parent) => {
  const isSublist =
    left.type === "paragraph" &&
    right.type === "list" &&
    right.children[0]?.children[0]?.type === "paragraph";
  return parent.type === "listItem" && !isSublist ? 1 : undefined;
};

/** Returns a document as a Markdown file that `readMarkdownFile` reads back unchanged. */
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
