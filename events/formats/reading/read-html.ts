import type { Root as Page } from "hast";
import { toMdast } from "hast-util-to-mdast";
import type { Root } from "mdast";
import { readTree } from "./read-blocks";
import type { ReadText, Sources } from "./read-blocks";
import { namedLines } from "./file-anchors";
import { htmlHandlers } from "./html-handlers";
import { htmlTree } from "./html-tree";
import { seenPage } from "./seen-html";

function titleIn(html: string): string | null {
  const title = /<title(?:\s[^<>]*)?>([^<]{1,2000})<\/title>/i.exec(html)?.[1];
  if (title === undefined) return null;
  const [text] = htmlTree(title, false).children;
  const words = text?.type === "text" ? text.value.replace(/\s+/g, " ").trim() : "";
  return words === "" ? null : words;
}

/** Reads an HTML page. `prepare` changes its tree before it is read. */
export function readHtml(
  html: string,
  sources: Sources,
  prepare: (page: Page) => Page = (page) => page,
): ReadText {
  const { left } = sources;
  const tree = htmlTree(html, true);
  const page = prepare(seenPage(tree, { left }));
  const root = toMdast(page, { document: true, ...htmlHandlers(left) });
  const read = readTree(root as Root, sources);
  return { ...read, title: read.title ?? titleIn(html), named: namedLines(tree) };
}
