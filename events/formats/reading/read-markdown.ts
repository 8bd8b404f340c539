import type { Literal, Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";
import { appendAll } from "@/events/core/append-all";
import { isWholeTitle } from "./import-name";
import { readTree } from "./read-blocks";
import type { ReadText, Sources } from "./read-blocks";
import { takeMarkdownNames } from "./anchors/markdown-names";
import { withoutHtml } from "./markdown-html";
import { tamedMarkdown, withMarks } from "./tamed-markdown";

declare module "mdast" {
  interface RootContentMap {
    toml: Toml;
  }
}
type Toml = Literal & { type: "toml" };

const titleLine = /^title\s*[:=][ \t]*(.+)$/;

/** Reads the front matter of Jekyll, Obsidian and others: its title and its other lines. */
function frontMatter(matter: string): { title: string | null; others: number } {
  const lines = matter.split("\n").filter((line) => line.trim() !== "");
  const said = lines.map((line) => titleLine.exec(line)?.[1]?.trim()).find((title) => title);
  const title = said?.replace(/^(["'])(.*)\1$/, "$2") ?? "";
  return title === "" ? { title: null, others: lines.length } : { title, others: lines.length - 1 };
}

/** Parses Markdown with GitHub's tables, tasks, strikethrough and footnotes. */
function markdownRoot(markdown: string): Root {
  // Omits the transform that searches parsed text for addresses: it would link escaped ones.
  const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));
  return fromMarkdown(markdown, {
    extensions: [frontmatter(["yaml", "toml"]), gfm()],
    mdastExtensions: [frontmatterFromMarkdown(["yaml", "toml"]), ...mdastExtensions],
  });
}

/** Restores the literal characters that were protected while the tree was parsed. */
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

/** Reads a Markdown file. */
export function readMarkdownFile(markdown: string, sources: Sources): ReadText {
  const { left } = sources;
  const tamed = tamedMarkdown(markdown.replace(/^\ufeff/, ""), left);
  const root = withLetters(markdownRoot(tamed));
  const [first, ...rest] = root.children;
  const hasMatter = first?.type === "yaml" || first?.type === "toml";
  const { title, others } = frontMatter(hasMatter ? first.value : "");
  const text = { ...root, children: hasMatter ? rest : root.children };
  const named = takeMarkdownNames(text, tamed, isWholeTitle);
  const read = readTree(withoutHtml(text, left), sources);
  // A title that repeats the text's own title adds nothing.
  const isTwice = title !== null && read.title !== null && read.title !== title;
  const lines = others + Number(isTwice);
  if (lines > 0) left("lines of properties above a text", lines);
  return { ...read, title: read.title ?? title, named };
}
