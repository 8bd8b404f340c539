import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { appendAll } from "@/events/core/append-all";
import { type ReadText, readTree, type Sources } from "./read-blocks";
import { tamedMarkdown, withMarks } from "./tamed-markdown";

/** What Jekyll, Obsidian and others write above a text for themselves. */
const frontMatter = /^\ufeff?---\r?\n([\s\S]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/;
const titleLine = /^title:[ \t]*(.+)$/m;

function titleIn(matter: string): string | null {
  const title =
    titleLine
      .exec(matter)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, "$2") ?? "";
  return title === "" ? null : title;
}

/** Markdown as a tree, with GitHub's tables, tasks, strikethrough and footnotes. */
function markdownRoot(markdown: string): Root {
  // What looks for addresses once more in what was read makes links of those that were escaped.
  const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions });
}

/** Gives the words of a tree the marks back that were no marks. */
function withLetters(root: Root): Root {
  const open: Nodes[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if ("value" in node) node.value = withMarks(node.value);
    if ("alt" in node && node.alt) node.alt = withMarks(node.alt);
    if ("url" in node) node.url = withMarks(node.url);
    if ("children" in node) appendAll<Nodes>(open, node.children);
  }
  return root;
}

/** What a Markdown file says. */
export function readMarkdownFile(markdown: string, sources: Sources): ReadText {
  const matter = frontMatter.exec(markdown);
  const body = matter ? markdown.slice(matter[0].length) : markdown.replace(/^\ufeff/, "");
  const read = readTree(withLetters(markdownRoot(tamedMarkdown(body, sources.left))), sources);
  return { ...read, title: read.title ?? (matter ? titleIn(matter[1] ?? "") : null) };
}
