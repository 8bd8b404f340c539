import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { type ReadText, readTree, type Sources } from "./read-blocks";

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

/** What a Markdown file says. */
export function readMarkdownFile(markdown: string, sources: Sources): ReadText {
  const matter = frontMatter.exec(markdown);
  const body = matter ? markdown.slice(matter[0].length) : markdown.replace(/^\ufeff/, "");
  const read = readTree(markdownRoot(body), sources);
  return { ...read, title: read.title ?? (matter ? titleIn(matter[1] ?? "") : null) };
}
